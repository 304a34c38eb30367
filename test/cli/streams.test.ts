import { PassThrough, Writable } from "node:stream"
import { describe, expect, test } from "vitest"
import { behindBytesMax, makeLineOut } from "../../src/cli/line-out.ts"
import { lineLengthMax, readLines } from "../../src/cli/read-lines.ts"
import { makeRedaction } from "../../src/cli/redaction.ts"

describe("lines to a reader", () => {
  test("that is slow are dropped beyond a bound, and the gap is told", () => {
    const written: Array<string> = []
    const pending: Array<() => void> = []
    const stream = new Writable({
      write(chunk, _, done) {
        written.push(String(chunk))
        pending.push(done)
      }
    })
    const out = makeLineOut(stream, { dropped: (count) => `lost ${count}`, broken: () => {} })

    out.line("x".repeat(behindBytesMax))
    out.line("lost")
    out.line("lost")
    pending.shift()?.()
    out.line("again")
    for (let done = pending.shift(); done !== undefined; done = pending.shift()) done()

    expect(written.slice(1)).toEqual(["lost 2\n", "again\n"])
  })

  test("that is gone are written no more, which is told once", () => {
    const told: Array<string> = []
    const stream = new PassThrough()
    const out = makeLineOut(stream, { dropped: () => "", broken: (reason) => told.push(reason) })

    stream.emit("error", new Error("EPIPE"))
    stream.emit("error", new Error("EPIPE"))
    out.line("nobody sees it")

    expect(told).toEqual(["EPIPE"])
    expect(stream.read()).toBeNull()
  })
})

describe("lines from a stream", () => {
  const read = async (...chunks: ReadonlyArray<string | Buffer>): Promise<ReadonlyArray<string>> => {
    const lines: Array<string> = []
    const stream = new PassThrough()
    readLines(stream, (line) => lines.push(line))
    for (const chunk of chunks) stream.write(chunk)
    stream.end()
    await new Promise((resolve) => stream.once("end", resolve))
    return lines
  }

  test("are whole, however they were cut, with either line end", async () => {
    const cut = Buffer.from("é\n")

    expect(await read("a", "b\nc\r\n\n", cut.subarray(0, 1), cut.subarray(1), "rest")).toEqual(["ab", "c", "", "é"])
  })

  test("that are too long are dropped, and those behind them are not", async () => {
    expect(await read("x".repeat(lineLengthMax + 1), "y\nz\n")).toEqual(["z"])
  })

  test("stop with the reader, who also takes the failures of the stream", () => {
    const lines: Array<string> = []
    const stream = new PassThrough()
    const stop = readLines(stream, (line) => lines.push(line))

    stream.emit("error", new Error("EIO"))
    stop()

    expect({ lines, isDestroyed: stream.destroyed }).toEqual({ lines: [], isDestroyed: true })
  })
})

describe("redaction", () => {
  const refused = (path: string) => ({ type: "refused", method: "GET", path, status: 404, index: 0, at: 0 }) as const

  test("hides every key it was told, as it is and percent-encoded, and nothing else", () => {
    const redaction = makeRedaction()
    redaction.add("k/1")
    redaction.add("k2")

    expect(redaction.event(refused("/k/1/k%2F1?a=k2"))).toEqual(refused("/***/***?a=***"))
    const settled = { type: "settled", request: 1, as: "crossed", index: 0, at: 0 } as const
    expect(redaction.event(settled)).toBe(settled)
  })
})
