import { describe, expect, it } from "vitest"
import { SseEvent } from "../../src/domain/sse-event.ts"
import { encodeEvent, encodeEvents, keepAliveFrame } from "../../src/wire/sse-frame.ts"

describe("encodeEvent", () => {
  it("writes one data line and the blank line for an unnamed event", () => {
    expect(encodeEvent(SseEvent.data('{"a":1}'))).toBe('data: {"a":1}\n\n')
  })

  it("writes the event line before the data line", () => {
    expect(encodeEvent(SseEvent.withEvent("ping", "{}"))).toBe("event: ping\ndata: {}\n\n")
  })

  it("writes one data line for each LF-separated piece, empty pieces included", () => {
    expect(encodeEvent(SseEvent.data("a\n\nb\n"))).toBe("data: a\ndata: \ndata: b\ndata: \n\n")
  })

  it("writes no data line for empty data", () => {
    expect(encodeEvent(SseEvent.withEvent("ping", ""))).toBe("event: ping\n\n")
    expect(encodeEvent(SseEvent.data(""))).toBe("\n")
  })

  it("uses one line ending throughout", () => {
    const event = SseEvent.withEvent("e", "a\nb")

    expect(encodeEvent(event, "crlf")).toBe("event: e\r\ndata: a\r\ndata: b\r\n\r\n")
    expect(encodeEvent(event, "cr")).toBe("event: e\rdata: a\rdata: b\r\r")
  })

  it("leaves non-ASCII text raw", () => {
    expect(encodeEvent(SseEvent.data('"日\u2028"'))).toBe('data: "日\u2028"\n\n')
  })
})

describe("encodeEvents", () => {
  it("ends every frame with its own blank line, the last one included", () => {
    expect(encodeEvents([SseEvent.data("1"), SseEvent.data("[DONE]")])).toBe("data: 1\n\ndata: [DONE]\n\n")
  })

  it("gives nothing for an empty list", () => {
    expect(encodeEvents([])).toBe("")
  })
})

describe("keepAliveFrame", () => {
  it("is a comment and a blank line", () => {
    expect(keepAliveFrame).toBe(":\n\n")
  })
})
