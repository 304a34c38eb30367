import { describe, expect, it } from "vitest"
import { ScriptedResponse, SseEvent } from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"
import { readEvents } from "../../src/wire/sse-reader.ts"

const path = "/v1/chat/completions"

/** The answer to one request, with the server it came from. */
const answerOf = (response: ScriptedResponse) => {
  const world = startVirtualServer()
  world.server.enqueueResponse(path, response)
  const answer = world.http.connect().request({
    method: "POST",
    target: path,
    headers: [["content-type", "application/json"]],
    body: "{}"
  })
  return { ...world, answer }
}

describe("the options of a scripted answer", () => {
  it("cut the bytes anywhere, also inside a character, and the reader sees the same events", () => {
    const events = [SseEvent.data("日本😀"), SseEvent.withEvent("end", "e\u0301")]
    const { answer, clock, server } = answerOf({ ...ScriptedResponse.sse(events), splitBytes: 1 })

    clock.settle()

    const bytes = Buffer.concat(answer.pieces.map((piece) => Buffer.from(piece.bytes)))
    expect(answer.pieces.every((piece) => piece.bytes.length === 1)).toBe(true)
    expect(readEvents(bytes.toString("utf8"))).toEqual(events)
    expect(server.requests()[0]?.answer).toMatchObject({ events: 2, outcome: "completed", settled: "crossed" })
  })

  it("let a client that leaves between two bytes of the last event count as cancelled only before that event", () => {
    const response = { ...ScriptedResponse.sse([SseEvent.data("a"), SseEvent.data("b")]), splitBytes: 4 }
    for (const [pieces, settled] of [
      [1, "cancelled"],
      [4, "crossed"]
    ] as const) {
      const { server, clock, http } = startVirtualServer()
      server.enqueueResponse(path, response)
      const connection = http.connect()
      const headers = [["content-type", "application/json"]] as const
      const answer = connection.request({ method: "POST", target: path, headers, body: "{}" })
      while (answer.pieces.length < pieces) clock.step()

      connection.disconnect()

      expect(server.requests()[0]?.answer).toMatchObject({ settled, outcome: "client_closed" })
    }
  })

  it.each(["lf", "crlf", "cr"] as const)("write lines that end with %s", (lineEnding) => {
    const events = [SseEvent.withEvent("kind", "one\ntwo")]
    const { answer, clock } = answerOf(ScriptedResponse.sse(events, { lineEnding }))

    clock.settle()

    const end = { lf: "\n", crlf: "\r\n", cr: "\r" }[lineEnding]
    expect(answer.text()).toBe(["event: kind", "data: one", "data: two", "", ""].join(end))
    expect(readEvents(answer.text())).toEqual(events)
  })

  it("send comments as frames that are no events", () => {
    const { answer, clock, server } = answerOf(
      ScriptedResponse.sse([SseEvent.comment("keep-alive"), SseEvent.comment(), SseEvent.data("x")])
    )

    clock.settle()

    expect(answer.text()).toBe(": keep-alive\n\n:\n\ndata: x\n\n")
    expect(server.requests()[0]?.answer.events).toBe(1)
  })

  it("pace raw pieces, each by its own pause", () => {
    const { answer, clock } = answerOf(
      ScriptedResponse.pieces(200, [
        { bytes: "a" },
        { bytes: new Uint8Array([0xff]), delayMs: 40 },
        { bytes: "c", delayMs: 2 }
      ])
    )

    clock.advance(100)

    expect(answer.pieces.map((piece) => piece.at)).toEqual([0, 40, 42])
    expect(answer.isComplete).toBe(true)
  })

  it("are checked where they are given", () => {
    const { server } = startVirtualServer()
    const register = (response: ScriptedResponse) => () => server.enqueueResponse(path, response)

    expect(register({ ...ScriptedResponse.text(200, ""), splitBytes: 0 })).toThrow(
      "splitBytes is 0; use a whole number"
    )
    expect(register(ScriptedResponse.pieces(200, [{ bytes: "a", delayMs: -1 }]))).toThrow(
      "the pause before a piece is -1"
    )
    expect(register(ScriptedResponse.sse([SseEvent.comment("a\nb")]))).toThrow("must be one line")
  })
})
