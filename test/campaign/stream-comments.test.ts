import { expect, test } from "vitest"
import { withoutComments } from "../../src/campaign/stream-comments.ts"

/** What is left of a text that comes in pieces of so many bytes. */
const left = (text: string, size: number): string => {
  const keep = withoutComments()
  const bytes = Buffer.from(text)
  const pieces: Array<Uint8Array> = []
  for (let at = 0; at < bytes.byteLength; at += size) pieces.push(keep(bytes.subarray(at, at + size)))
  return Buffer.concat(pieces).toString()
}

test("comments of a stream are left out, however they are cut", () => {
  const events = "event: a\ndata: one: 1\n\ndata: two\r\n\r\n"
  const alive = `: keep-alive\n\n${events.replace("data: two", ": keep-alive\r\n\r\n:\n\ndata: two")}: keep-alive\n\n`
  for (const size of [1, 2, 3, 7, 1_000]) {
    expect(left(alive, size)).toBe(events)
    expect(left(events, size)).toBe(events)
  }
})
