import { describe, expect, it } from "vitest"
import type { SseEvent } from "../../../src/domain/sse-event.ts"
import { messages, messagesReply } from "../../../src/wire/messages/messages.ts"
import { codePoints } from "../../../src/wire/splitters.ts"
import { ofType, payloadsOf, typesOf, valueAt } from "../decoding.ts"
import { kelpCall, model, reefCall, threeWords, twoWords } from "../scenarios.ts"

const cut = { model, splitArguments: codePoints(5) }
const text = threeWords
const reasoning = twoWords
const calls = [kelpCall, reefCall]
const thinking = { model, reasoning, signature: "sig" }

const deltasOf = (events: ReadonlyArray<SseEvent>) =>
  ofType(payloadsOf(events), "content_block_delta").map((payload) => payload["delta"])

const startsOf = (events: ReadonlyArray<SseEvent>) =>
  ofType(payloadsOf(events), "content_block_start").map((payload) => payload["content_block"])

const everyScenario: ReadonlyArray<readonly [string, ReadonlyArray<SseEvent>]> = [
  ["text", messages.text({ model, text })],
  ["nothing", messages.empty({ model })],
  ["a thought and calls", messages.thinkThenCall({ ...thinking, ...kelpCall })],
  ["parallel calls", messages.calls({ model, calls })],
  ["an error", messages.error({ model, message: "busy", text })]
]

describe("a full Messages stream", () => {
  it.each(everyScenario)("of %s names every event by its type", (_scenario, events) => {
    expect(events.map(({ event }) => event)).toEqual(typesOf(payloadsOf(events)))
  })

  it("sends one ping, right after the first block has started", () => {
    const types = typesOf(payloadsOf(messages.textCalls({ model, text: "so", calls })))

    expect(types.filter((type) => type === "ping")).toHaveLength(1)
    expect(types.indexOf("ping")).toBe(types.indexOf("content_block_start") + 1)
  })

  it("starts a thought empty and signs it once, just before it stops", () => {
    const events = messages.thinking(thinking)

    expect(startsOf(events)).toEqual([{ type: "thinking", thinking: "", signature: "" }])
    expect(deltasOf(events)).toEqual([
      { type: "thinking_delta", thinking: "alpha " },
      { type: "thinking_delta", thinking: "beta" },
      { type: "signature_delta", signature: "sig" }
    ])
  })

  it("leaves the text of a thought out where the request asks for that", () => {
    const input = { ...thinking, request: { thinking: { type: "enabled", display: "omitted" } } }

    expect(deltasOf(messages.thinking(input))).toEqual([{ type: "signature_delta", signature: "sig" }])
    expect(messagesReply.thinking(input)).toMatchObject({ content: [{ thinking: "", signature: "sig" }] })
  })

  it("puts redacted thinking whole into the start of its block", () => {
    const events = messages.redactedThinking({ model, data: "xyz" })

    expect(startsOf(events)).toEqual([{ type: "redacted_thinking", data: "xyz" }])
    expect(deltasOf(events)).toEqual([])
  })

  it("starts a call with empty input and streams its JSON unchanged", () => {
    const events = messages.call({ ...cut, callId: "toolu_1", name: "depth", arguments: '{"m" : 40}' })

    expect(startsOf(events)).toEqual([
      { type: "tool_use", id: "toolu_1", name: "depth", input: {}, caller: { type: "direct" } }
    ])
    expect(deltasOf(events)).toEqual([
      { type: "input_json_delta", partial_json: '{"m" ' },
      { type: "input_json_delta", partial_json: ": 40}" }
    ])
  })

  it("never interleaves blocks", () => {
    const payloads = payloadsOf(messages.calls({ ...cut, calls }))
    const indexes = payloads.map((payload) => payload["index"]).filter((index) => index !== undefined)

    expect(indexes).toEqual([...indexes].sort())
  })

  it("appends citations behind the text", () => {
    const citation = { type: "char_location", cited_text: "calm" }

    expect(deltasOf(messages.citations({ model, text: "Sea", citations: [citation] }))).toEqual([
      { type: "text_delta", text: "Sea" },
      { type: "citations_delta", citation }
    ])
  })

  it("delivers search results whole, between the search and the text", () => {
    const results = [{ type: "web_search_result", url: "u", title: "t", encrypted_content: "x", page_age: null }]
    const caller = { type: "direct" }

    expect(startsOf(messages.webSearch({ model, query: "sea", results, text }))).toEqual([
      { type: "server_tool_use", id: "srvtoolu_mock", name: "web_search", input: {}, caller },
      { type: "web_search_tool_result", tool_use_id: "srvtoolu_mock", caller, content: results },
      { type: "text", text: "", citations: null }
    ])
  })

  it("ends with the details of its stop", () => {
    const deltaOf = (events: ReadonlyArray<SseEvent>) => ofType(payloadsOf(events), "message_delta")[0]?.["delta"]
    const none = { stop_sequence: null, stop_details: null, container: null }

    expect(deltaOf(messages.stopSequence({ model, text, stopSequence: "END" }))).toEqual({
      ...none,
      stop_reason: "stop_sequence",
      stop_sequence: "END"
    })
    expect(deltaOf(messages.refusal({ model, text, category: "cyber" }))).toEqual({
      ...none,
      stop_reason: "refusal",
      stop_details: { type: "refusal", category: "cyber", explanation: null }
    })
    expect(deltaOf(messages.pauseTurn({ model, query: "sea" }))).toEqual({ ...none, stop_reason: "pause_turn" })
  })

  it("breaks off with an error, its block open", () => {
    const error = { model, type: "overloaded_error", message: "busy", requestId: "req_1" }
    const events = messages.error({ ...error, text: "a" })

    expect(typesOf(payloadsOf(events))).toEqual([
      "message_start",
      "content_block_start",
      "ping",
      "content_block_delta",
      "error"
    ])
    expect(messages.error(error)).toEqual([
      {
        event: "error",
        data: '{"type":"error","error":{"type":"overloaded_error","message":"busy"},"request_id":"req_1"}'
      }
    ])
  })

  it("takes id and counts from the options", () => {
    const usage = { inputTokens: 1, outputTokens: 2, startOutputTokens: 3, cacheCreationTokens: 4, cacheReadTokens: 5 }
    const payloads = payloadsOf(messages.text({ model, text, id: "x", usage }))

    expect(payloads[0]).toMatchObject({
      message: {
        id: "x",
        usage: { input_tokens: 1, output_tokens: 3, cache_creation_input_tokens: 4, cache_read_input_tokens: 5 }
      }
    })
    expect(ofType(payloads, "message_delta")[0]).toMatchObject({ usage: { input_tokens: 1, output_tokens: 2 } })
  })
})

describe("the Messages JSON reply", () => {
  it("is the message object with its keys in the documented order", () => {
    const reply = messagesReply.text({ model, text })

    expect(Object.keys(reply).join(" ")).toBe(
      "id type role model content stop_reason stop_sequence stop_details container diagnostics usage"
    )
    expect(reply).toMatchObject({
      content: [{ type: "text", text }],
      stop_reason: "end_turn",
      usage: { input_tokens: 10, output_tokens: 3 }
    })
  })

  it("has calls with parsed input", () => {
    expect(messagesReply.textCalls({ model, text, calls })).toMatchObject({
      content: [
        { type: "text", text },
        { type: "tool_use", id: kelpCall.callId, input: { m: 40 } },
        { type: "tool_use", id: reefCall.callId, input: { at: "noon", in: "m" } }
      ],
      stop_reason: "tool_use"
    })
  })

  it.each(["", "not json", "[1]"])("has empty input where the arguments are %j", (input) => {
    const reply = messagesReply.call({ model, callId: "c", name: "f", arguments: input })

    expect(valueAt(reply, "content", 0, "input")).toEqual({})
  })

  it("has no content for an empty answer", () => {
    expect(messagesReply.empty({ model })).toMatchObject({ content: [], usage: { output_tokens: 0 } })
  })
})
