import { describe, expect, it } from "vitest"
import { endpointPaths, inferenceEndpoints } from "../../src/domain/endpoint.ts"
import { InferenceRequestMatcher, InvalidOption } from "../../src/index.ts"
import { stream } from "../support/scripts.ts"
import { at, chatText, messagesText, payloads, responsesText, textOf } from "../support/texts.ts"
import { startWorld } from "../support/virtual-world.ts"

/** The text that a body gets in a stream. */
const echoOf = (endpoint: (typeof inferenceEndpoints)[number], body: unknown): string =>
  textOf[endpoint](startWorld().post(endpointPaths[endpoint], body).text())

/** The text in the final response object of a Responses stream. */
const completedText = (stream: string): unknown =>
  payloads(stream)
    .filter(({ type }) => type === "response.completed")
    .map((payload) => at(payload, "response", "output", 0, "content", 0, "text"))[0]

describe("echo mode", () => {
  it("says what the user said, split as each API does it (scenario 48)", () => {
    const world = startWorld()
    const [chat = "", responses = "", messages = ""] = inferenceEndpoints.map((endpoint) =>
      world.foreground(endpoint, "1", "a  b\nc").text()
    )

    expect(chatText(world.auxiliary("ping pong").text())).toBe("Echo: ping pong")
    expect(chatText(chat)).toBe("Echo: a b c")
    expect(messagesText(messages)).toBe("Echo: a  b\nc")
    expect(responsesText(responses)).toBe("Echo: a b c ")
    expect(completedText(responses)).toBe("Echo: a  b\nc")
  })

  it("writes no event lines", () => {
    const world = startWorld()
    const streams = inferenceEndpoints.map((endpoint) => world.foreground(endpoint, "1", "x").text())

    expect(streams.filter((text) => text.includes("event:"))).toEqual([])
  })

  it.each([
    [
      "chat with array content",
      "ChatCompletions",
      { messages: [{ role: "user", content: [{ type: "text", text: "a" }] }] },
      "Echo: hello"
    ],
    ["a plain string as input", "Responses", { input: "hi" }, "Echo: hello "],
    [
      "a function output as last item",
      "Responses",
      {
        input: [{ role: "user", content: "older" }, { role: "user", content: "last" }, { type: "function_call_output" }]
      },
      "Echo: last "
    ],
    [
      "a part of another type before the text",
      "Responses",
      { input: [{ role: "user", content: [{ type: "input_image" }, { type: "input_text", text: "seen" }] }] },
      "Echo: seen "
    ],
    [
      "only tool results in the last user message",
      "Messages",
      {
        messages: [
          { role: "user", content: "older" },
          { role: "user", content: [{ type: "tool_result", content: "x" }] }
        ]
      },
      "Echo: hello"
    ],
    [
      "blocks with a text",
      "Messages",
      { messages: [{ role: "user", content: [{ type: "text", text: "a\n b" }] }] },
      "Echo: a\n b"
    ],
    ["empty content", "ChatCompletions", { messages: [{ role: "user", content: "" }] }, "Echo:"],
    ["empty content", "Messages", { messages: [{ role: "user", content: "" }] }, "Echo: "],
    ["no messages", "ChatCompletions", {}, "Echo: hello"],
    ["messages that are no array", "ChatCompletions", { messages: "x" }, "Echo: hello"],
    ["no user among the messages", "Messages", { messages: [{ role: "assistant", content: "x" }] }, "Echo: hello"],
    ["a body that is no object", "ChatCompletions", [1], "Echo: hello"]
  ] as const)("answers %s on %s (scenario 49)", (_, endpoint, body, text) => {
    expect(echoOf(endpoint, body)).toBe(text)
  })

  it("calls the model as the request does, else test-model (scenario 49)", () => {
    const modelOf = (body: unknown) =>
      at(payloads(startWorld().post(endpointPaths.ChatCompletions, body).text())[0], "model")

    expect(modelOf({ model: "gpt-x" })).toBe("gpt-x")
    expect(modelOf({})).toBe("test-model")
    expect(modelOf({ model: 4 })).toBe("test-model")
  })

  it("comes back after a fixed text", () => {
    const world = startWorld()
    world.server.setResponse("fixed")
    world.server.setEcho()

    expect(chatText(world.auxiliary("hi").text())).toBe("Echo: hi")
  })
})

describe("fixed mode", () => {
  it("says a text of many lines byte for byte on every API (scenario 50)", () => {
    const world = startWorld()
    const text = "Here:\n\n```ts\nconst  a = 1\n\n\tlet b\n```\n\nbye  \n"
    world.server.setResponse(text)

    const texts = inferenceEndpoints.map((endpoint) => textOf[endpoint](world.foreground(endpoint, "1", "x").text()))

    expect(texts).toEqual([text, text, text])
  })
})

describe("agent turns", () => {
  it("go to foreground requests on any endpoint, in order, then the mode answers (scenario 51)", () => {
    const world = startWorld()
    world.server.setAgentTurns(["never"])
    world.server.setAgentTurns(["one", "two"])

    expect(chatText(world.auxiliary("side").text())).toBe("Echo: side")
    expect(chatText(world.foreground("ChatCompletions", "1", "x").text())).toBe("one")
    expect(messagesText(world.foreground("Messages", "2", "x").text())).toBe("two")
    expect(chatText(world.foreground("ChatCompletions", "3", "back").text())).toBe("Echo: back")
    expect(world.server.requests().map(({ answer }) => answer.source)).toEqual(["mode", "turn", "turn", "mode"])
  })
})

describe("the stop reason of messages", () => {
  it("is end_turn, or what was set (scenario 52)", () => {
    const world = startWorld()
    const reason = () =>
      payloads(world.foreground("Messages", "1", "x").text())
        .filter(({ type }) => type === "message_delta")
        .map((payload) => at(payload, "delta", "stop_reason"))
    expect(reason()).toEqual(["end_turn"])

    world.server.setMessagesStopReason("tool_use")

    expect(reason()).toEqual(["tool_use"])
    world.server.setResponse("fixed")
    expect(reason()).toEqual(["tool_use"])
  })
})

describe("the chunk delay", () => {
  it("stands before each event of a stream, and a change is for later requests (scenario 53)", () => {
    const world = startWorld()
    world.server.setChunkDelay(100)
    const call = world.auxiliary("ping pong")
    expect(call.status).toBe(200)
    expect(call.text()).toBe("")

    world.clock.advance(250)
    world.server.setChunkDelay(null)
    expect(world.auxiliary("ping pong").isComplete).toBe(true)
    world.clock.advance(250)

    expect(call.response.pieces.map((piece) => piece.at)).toEqual([100, 200, 300, 400, 500])
    expect(call.isComplete).toBe(true)
  })

  it("of the last event passes before the barrier is reached (scenario 53)", () => {
    const world = startWorld()
    world.server.setChunkDelay(100)
    const matcher = InferenceRequestMatcher.auxiliary("ChatCompletions")
    const handle = world.server.expectResponseBlocked("turn", matcher, stream("one", "two"))
    world.auxiliary("x")

    world.clock.advance(199)
    expect(handle.phase).toBe("Received")
    world.clock.advance(1)
    expect(handle.phase).toBe("Blocked")
  })

  it("is null or a number of milliseconds that timers keep", () => {
    const { server } = startWorld()

    for (const delay of [-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
      expect(() => server.setChunkDelay(delay)).toThrow(InvalidOption)
    }
    expect(() => server.setChunkDelay(-1)).toThrow("chunk delay is -1; use milliseconds from 0 to 2147483647, or null")
  })
})

describe("a silent stream", () => {
  it("says a comment every 15 seconds and nothing else (scenario 54)", () => {
    const world = startWorld()
    const matcher = InferenceRequestMatcher.auxiliary("ChatCompletions")
    world.server.expectResponseBlocked("turn", matcher, stream("one", "two"))
    const call = world.auxiliary("x")

    world.clock.advance(16_000)
    expect(call.text()).toBe("data: one\n\n:\n\n")
    expect(call.response.pieces.at(-1)?.at).toBe(15_000)

    world.clock.advance(14_000)
    expect(call.text()).toBe("data: one\n\n:\n\n:\n\n")
  })

  it("starts its 15 seconds anew with every event, and speaks at the gate too", () => {
    const world = startWorld()
    world.server.setChunkDelay(10_000)
    world.server.holdAgentCompletions()
    const call = world.foreground("ChatCompletions", "1", "")

    // The second of three events came after 20 seconds; the third stands at the gate since 30.
    world.clock.advance(34_999)
    expect(call.text()).not.toMatch(/^:/m)
    world.clock.advance(1)
    expect(call.response.pieces.at(-1)).toEqual({ at: 35_000, bytes: ":\n\n" })
  })

  it("is no JSON answer: before a status line there is no comment", () => {
    const world = startWorld()
    const matcher = InferenceRequestMatcher.auxiliary("ChatCompletions")
    world.server.expectResponse("head", matcher, stream("one"), { barriers: [{ at: "head" }] })
    const call = world.auxiliary("x")

    world.clock.advance(60_000)

    expect([call.status, call.text()]).toEqual([null, ""])
  })
})
