import { describe, expect, it } from "vitest"
import type { LineEnding } from "../../src/domain/sse-event.ts"
import { SseEvent } from "../../src/domain/sse-event.ts"
import { encodeEvents, keepAliveFrame } from "../../src/wire/sse-frame.ts"
import { eventReader, readEvents } from "../../src/wire/sse-reader.ts"

const lineEndings: ReadonlyArray<LineEnding> = ["lf", "crlf", "cr"]

describe("readEvents", () => {
  const events = [SseEvent.withEvent("first", "a\n\nb\n"), SseEvent.data('{"x":"日本😀"}'), SseEvent.data("[DONE]")]

  it.each(lineEndings)("gives back what was encoded with %s, whole and unit by unit", (lineEnding) => {
    const text = encodeEvents(events, lineEnding)

    expect(readEvents(text)).toEqual(events)
    expect(readEvents(text.split(""))).toEqual(events)
  })

  it("takes a CR and its LF in different pieces for one line ending", () => {
    expect(readEvents(["data: a\r", "\ndata: b\r", "\n\r", "\n"])).toEqual([SseEvent.data("a\nb")])
  })

  it("accepts mixed endings inside one blank-line pair", () => {
    expect(readEvents("data: a\n\r\ndata: b\r\n\n")).toEqual([SseEvent.data("a"), SseEvent.data("b")])
  })

  it("skips a byte-order mark at the start and nowhere else", () => {
    expect(readEvents("\ufeffdata: a\n\ndata: \ufeffb\n\n")).toEqual([SseEvent.data("a"), SseEvent.data("\ufeffb")])
    expect(readEvents(["", "\ufeff", "data: a\n\n"])).toEqual([SseEvent.data("a")])
  })

  it("ignores comments, ids, retry times and unknown fields", () => {
    const text = `${keepAliveFrame}: note\nid: 7\nretry: 9\nother: x\ndata: a\n\n`

    expect(readEvents(text)).toEqual([SseEvent.data("a")])
  })

  it("takes one space after the colon away, and not more", () => {
    expect(readEvents("data:a\n\ndata:  b\n\ndata\n\n")).toEqual([
      SseEvent.data("a"),
      SseEvent.data(" b"),
      SseEvent.data("")
    ])
  })

  it("dispatches no event for a name without data", () => {
    expect(readEvents("event: lonely\n\ndata: a\n\n")).toEqual([SseEvent.data("a")])
  })

  it("loses a tail without its blank line", () => {
    expect(readEvents("data: a\n\ndata: b\n")).toEqual([SseEvent.data("a")])
  })

  it("does not end a line at U+2028, U+2029 or U+0085", () => {
    expect(readEvents("data: a\u2028b\u2029c\u0085d\n\n")).toEqual([SseEvent.data("a\u2028b\u2029c\u0085d")])
  })
})

describe("eventReader", () => {
  it("gives an event with the piece that completes it", () => {
    const reader = eventReader()

    expect(reader.push("data: a\n")).toEqual([])
    expect(reader.push("\ndata: ")).toEqual([SseEvent.data("a")])
    expect(reader.push("b\n\n")).toEqual([SseEvent.data("b")])
  })
})
