import { describe, expect, it } from "vitest"
import { blockFinder } from "../../src/wire/sse-blocks.ts"

/** Cuts a text into its blocks; events stand in brackets. */
const blocks = (text: string, pieceBytes = text.length): string => {
  const bytes = new TextEncoder().encode(text)
  const finder = blockFinder()
  const found: Array<{ readonly at: number; readonly isEvent: boolean }> = []
  for (let from = 0; from < bytes.length; from += pieceBytes)
    finder.scan(bytes.subarray(from, from + pieceBytes), (at, isEvent) => found.push({ at: from + at, isEvent }))
  const last = finder.finish()
  if (last !== null) found.push({ at: bytes.length, isEvent: last })
  let from = 0
  const shown = found.map(({ at, isEvent }) => {
    const block = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(from, at))
    from = at
    return isEvent ? `[${block}]` : `(${block})`
  })
  return [...shown, new TextDecoder().decode(bytes.subarray(from))].join("")
}

describe.each([100, 1])("blocks of an event stream, in pieces of %i bytes", (pieceBytes) => {
  it.each([
    ["data: a\n\ndata: b\n\n", "[data: a\n\n][data: b\n\n]"],
    ["data: a\r\n\r\ndata: b\r\n\r\n", "[data: a\r\n\r\n][data: b\r\n\r\n]"],
    ["data: a\r\rdata: b\r\r", "[data: a\r\r][data: b\r\r]"],
    ["event: x\nid: 1\ndata: a\ndata: b\n\n", "[event: x\nid: 1\ndata: a\ndata: b\n\n]"]
  ])("that end with an empty line: %j", (text, expected) => {
    expect(blocks(text, pieceBytes)).toBe(expected)
  })

  it.each([
    [": ping\n\ndata: a\n\n", "(: ping\n\n)[data: a\n\n]"],
    ["\n\ndata: a\n\n", "(\n)(\n)[data: a\n\n]"],
    ["event: x\nretry: 5\n\n", "(event: x\nretry: 5\n\n)"],
    [
      "datum: a\n\ndat\n\n data: a\n\ndata : a\n\nData: a\n\n",
      "(datum: a\n\n)(dat\n\n)( data: a\n\n)(data : a\n\n)(Data: a\n\n)"
    ],
    ["data\n\ndata:\n\n", "[data\n\n][data:\n\n]"]
  ])("that are events where they have data: %j", (text, expected) => {
    expect(blocks(text, pieceBytes)).toBe(expected)
  })

  it("that a stream ends before their empty line are none", () => {
    expect(blocks("data: a\n\ndata: b\n", pieceBytes)).toBe("[data: a\n\n]data: b\n")
  })

  it("that end with a CR of which an LF may still come wait for it", () => {
    expect(blocks("data: a\r\n\r", pieceBytes)).toBe("[data: a\r\n\r]")
    expect(blocks("data: a\n\rdata: b\n\n", pieceBytes)).toBe("[data: a\n\r][data: b\n\n]")
    // Here none is waited for; one that comes belongs to the next block, and is no line of it.
    expect(blocks("data: a\r\r\ndata: b\n\n", pieceBytes)).toBe("[data: a\r\r][\ndata: b\n\n]")
  })

  it("do not wait for it where lines end with CR alone", () => {
    const ends: Array<number> = []
    blockFinder().scan(new TextEncoder().encode("data: a\r\r"), (at) => ends.push(at))
    expect(ends).toEqual([9])
  })

  it("may begin with a byte-order mark", () => {
    expect(blocks("\ufeffdata: a\n\n", pieceBytes)).toBe("[\ufeffdata: a\n\n]")
    expect(blocks("data: a\n\n\ufeffdata: a\n\n", pieceBytes)).toBe("[data: a\n\n](\ufeffdata: a\n\n)")
  })
})
