import { expect, it } from "vitest"
import { makeWireLog } from "../../../src/harness/wire/wire-log.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

it("a log keeps the newest lines within both of its bounds, and says that some are gone", () => {
  const byCount = makeWireLog(() => 7, { entriesMax: 2 })
  const bySize = makeWireLog(() => 7, { bytesMax: 8 })
  for (const log of [byCount, bySize])
    expect(["one\n", "two\n", "three\n"].map((text) => log.add("in", bytesOf(text)))).toEqual([1, 2, 3])

  expect(byCount.entries().map(({ text }) => text)).toEqual(["two", "three"])
  expect(bySize.entries().map(({ seq, text }) => [seq, text])).toEqual([[3, "three"]])
  expect([byCount.isTruncated(), bySize.isTruncated(), makeWireLog(() => 0).isTruncated()]).toEqual([true, true, false])
})

it("a log keeps 100,000 lines and 64 MiB where nobody says otherwise", () => {
  const byCount = makeWireLog(() => 7)
  for (let n = 0; n < 100_001; n++) byCount.add("in", bytesOf("\n"))
  const bySize = makeWireLog(() => 7)
  for (const length of [1, 1, 67_108_863]) bySize.add("in", new Uint8Array(length))

  expect([byCount.entries().length, byCount.entries()[0]?.seq]).toEqual([100_000, 2])
  expect(bySize.entries().map(({ seq }) => seq)).toEqual([2, 3])
})

it("an entry has its bytes, its text, and its value or why it has none", () => {
  const log = makeWireLog(() => 7)
  log.add("out", bytesOf('{"a":1}\n'))
  log.add("in", bytesOf("{\r\n"))

  expect(log.entries()).toMatchObject([
    { seq: 1, direction: "out", at: 7, text: '{"a":1}', parsed: { a: 1 }, parseError: null },
    { seq: 2, direction: "in", text: "{", parsed: undefined }
  ])
  expect(log.entries()[1]?.parseError).toMatch(/JSON/)
  expect(new TextDecoder().decode(log.inboundBytes())).toBe("{\r\n")
})

it("who watches sees every later line, also one that is not kept, until the watch ends", () => {
  const log = makeWireLog(() => 7, { entriesMax: 1 })
  const seen: Array<string> = []
  log.add("in", bytesOf("before\n"))
  const stop = log.watch(({ seq, direction, text }) => seen.push(`${seq} ${direction} ${text}`))
  log.add("in", bytesOf("one\n"))
  log.add("out", bytesOf("two\n"))
  stop()
  log.add("in", bytesOf("after\n"))

  expect(seen).toEqual(["2 in one", "3 out two"])
})
