import { Writable } from "node:stream"
import { describe, expect, test } from "vitest"
import { behindBytesMax, makeLineOut } from "../../src/cli/line-out.ts"

/** A stream whose reader takes nothing before `drain`. */
const stuck = () => {
  const taken: Array<string> = []
  let goOn = (): void => {}
  let isOpen = false
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk, _, done) {
      taken.push(String(chunk))
      if (isOpen) done()
      else goOn = done
    }
  })
  const drain = async (): Promise<ReadonlyArray<string>> => {
    isOpen = true
    goOn()
    await new Promise((resolve) => stream.end(resolve))
    return taken.join("").trim().split("\n")
  }
  return { stream, drain }
}

const full = "x".repeat(behindBytesMax + 1)
const tell = { dropped: (count: number) => `${count} lost`, broken: () => {} }

describe("lines to a reader that is too far behind", () => {
  test("are lost and counted, and told of before the next that is written", async () => {
    const { stream, drain } = stuck()
    const out = makeLineOut(stream, tell)
    for (const line of [full, "a", "b"]) out.line(line)

    expect(await drain()).toEqual([full])
    expect(stream.writableLength).toBe(0)
  })

  // Seen to fail while the last ones were lost like any other.
  test("but the last words are written, behind how many were lost", async () => {
    const { stream, drain } = stuck()
    const out = makeLineOut(stream, tell)
    for (const line of [full, "a", "b"]) out.line(line)
    out.closing()
    for (const line of ["leftovers", "summary"]) out.line(line)
    out.end()

    expect(await drain()).toEqual([full, "2 lost", "leftovers", "summary"])
  })

  test("are told of at the end, once", async () => {
    const { stream, drain } = stuck()
    const out = makeLineOut(stream, tell)
    for (const line of [full, "a"]) out.line(line)
    out.end()
    out.end()

    expect(await drain()).toEqual([full, "1 lost"])
  })
})

test("nothing is said of lost lines where there are none", async () => {
  const { stream, drain } = stuck()
  const out = makeLineOut(stream, tell)
  out.line("a")
  out.closing()
  out.line("b")
  out.end()

  expect(await drain()).toEqual(["a", "b"])
})
