import { describe, expect, it } from "vitest"
import { endpointPaths } from "../../src/domain/endpoint.ts"
import { InferenceRequestMatcher, ScriptedResponse, SseEvent } from "../../src/index.ts"
import { stream } from "../support/scripts.ts"
import { chatText, responsesText } from "../support/texts.ts"
import { startWorld } from "../support/virtual-world.ts"

const chat = endpointPaths.ChatCompletions

describe("a queue", () => {
  it("serves its path in order, once each, and no other path (scenario 37)", () => {
    const world = startWorld()
    world.server.enqueueResponse(chat, ScriptedResponse.text(401, "Unauthorized"))
    world.server.enqueueResponse(chat, ScriptedResponse.json(500, { error: { message: "boom" } }))

    expect(responsesText(world.foreground("Responses", "1", "hi there").text())).toBe("Echo: hi there ")
    const first = world.auxiliary("ping pong")
    const second = world.foreground("ChatCompletions", "2", "ping pong")

    expect([first.status, first.text()]).toEqual([401, "Unauthorized"])
    expect([second.status, second.json()]).toEqual([500, { error: { message: "boom" } }])
    expect(chatText(world.auxiliary("ping pong").text())).toBe("Echo: ping pong")
  })

  it("serves status, headers and body as they were given (scenario 38)", () => {
    const world = startWorld()
    const script = ScriptedResponse.text(429, "slow down")
    script.headers.push(["retry-after", "7"])
    world.server.enqueueResponse(chat, script)

    const call = world.auxiliary("x")

    expect([call.status, call.header("retry-after"), call.text()]).toEqual([429, "7", "slow down"])
    expect(call.header("content-length")).toBe("9")
  })

  it("serves raw text byte for byte, as plain text unless a header says otherwise (scenario 39)", () => {
    const world = startWorld()
    const raw = 'data: {"choices":[]}\n\ndata: not-json-at-all\n\ndata: [DONE]\n\n'
    const asStream = ScriptedResponse.text(200, raw)
    asStream.headers.push(["Content-Type", "text/event-stream"])
    world.server.enqueueResponse(chat, ScriptedResponse.text(200, raw))
    world.server.enqueueResponse(chat, asStream)

    const calls = [world.auxiliary("x"), world.auxiliary("x")]

    expect(calls.map((call) => call.text())).toEqual([raw, raw])
    expect(calls.map((call) => call.header("content-type"))).toEqual(["text/plain; charset=utf-8", "text/event-stream"])
    expect(calls[1]?.response.headers.filter(([name]) => name === "content-type")).toHaveLength(1)
  })

  it("serves named and unnamed events, each in a frame of its own (scenario 40)", () => {
    const world = startWorld()
    const events = [SseEvent.withEvent("custom.kind", '{"a":1}'), SseEvent.data('{"b":2}')]
    world.server.enqueueResponse(chat, ScriptedResponse.sse(events))

    const call = world.auxiliary("x")

    expect(call.events()).toEqual(events)
    expect(call.text().split("\n\n")[1]).toBe('data: {"b":2}')
  })

  it("lets the last of two headers of one name win", () => {
    const world = startWorld()
    const script = ScriptedResponse.json(200, {})
    script.headers.push(["x-twice", "first"], ["X-Twice", "second"])
    world.server.enqueueResponse(chat, script)

    const call = world.auxiliary("x")

    expect(call.response.headers.filter(([name]) => name === "x-twice")).toEqual([["x-twice", "second"]])
  })

  it("announces no length beside a scripted transfer encoding", () => {
    const world = startWorld()
    const script = ScriptedResponse.text(200, "in chunks")
    script.headers.push(["Transfer-Encoding", "chunked"])
    world.server.enqueueResponse(chat, script)

    const call = world.auxiliary("x")

    expect([call.header("transfer-encoding"), call.header("content-length"), call.text()]).toEqual([
      "chunked",
      undefined,
      "in chunks"
    ])
  })

  it("takes any path, and serves under the path of its route whatever the spelling of the request", () => {
    const world = startWorld()
    world.server.enqueueResponse("/nowhere", ScriptedResponse.text(200, "never"))
    world.server.enqueueResponse("/chat/completions", ScriptedResponse.text(200, "never"))
    world.server.enqueueResponse(chat, ScriptedResponse.text(200, "served"))

    expect(world.get("/nowhere").status).toBe(404)
    expect(world.post("/chat/completions?x=1", {}).text()).toBe("served")
    expect(chatText(world.post("/chat/completions", {}).text())).toBe("Echo: hello")
  })

  it("comes after expectations, and gives overlapping duplicates one entry each", () => {
    const world = startWorld()
    world.server.setChunkDelay(10)
    for (const text of ["one", "two"]) world.server.enqueueResponse(chat, stream(text))
    const matcher = InferenceRequestMatcher.foreground("ChatCompletions")
    world.server.expectResponse("turn", matcher, ScriptedResponse.text(200, "matched"))

    expect(world.foreground("ChatCompletions", "0", "x").text()).toBe("matched")
    const calls = [world.foreground("ChatCompletions", "1", "x"), world.foreground("ChatCompletions", "1", "x")]
    world.clock.advance(10)

    expect(calls.map((call) => call.events()[0]?.data)).toEqual(["one", "two"])
  })

  it("is emptied on every path by clearQueues", () => {
    const world = startWorld()
    world.server.enqueueResponse(chat, ScriptedResponse.text(200, "never"))
    world.server.enqueueResponse("/v1/settings", ScriptedResponse.text(200, "never"))

    world.server.clearQueues()

    expect(chatText(world.auxiliary("hi").text())).toBe("Echo: hi")
    expect(world.get("/v1/settings").status).toBe(404)
  })
})
