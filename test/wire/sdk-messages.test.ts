import { describe, expect, it } from "vitest"
import type { SseEvent } from "../../src/domain/sse-event.ts"
import { messages, messagesReply } from "../../src/wire/messages/messages.ts"
import { codePoints } from "../../src/wire/splitters.ts"
import { kelpCall, model, reefCall, threeWords, twoWords } from "./scenarios.ts"
import { anthropic, anthropicJson, drained } from "./sdk-clients.ts"

const request = { model, max_tokens: 100, messages: [{ role: "user" as const, content: "hi" }] }
const cut = { model, splitArguments: codePoints(4) }
const text = threeWords
const reasoning = twoWords
const calls = [kelpCall, reefCall]
const result = {
  type: "web_search_result",
  url: "https://sea.test/",
  title: "Sea",
  encrypted_content: "x",
  page_age: null
}
const citation = {
  type: "web_search_result_location",
  url: "https://sea.test/",
  title: "Sea",
  encrypted_index: "x",
  cited_text: "calm"
}

const finalOf = (events: ReadonlyArray<SseEvent>) => anthropic(events).messages.stream(request).finalMessage()

const used = ({ callId, name, arguments: input }: typeof kelpCall) => ({
  type: "tool_use",
  id: callId,
  name,
  input: JSON.parse(input),
  caller: { type: "direct" }
})

const textBlock = { type: "text", text }
const thought = { type: "thinking", thinking: reasoning, signature: "sig" }
const search = { type: "server_tool_use", name: "web_search", input: { query: "sea" } }
const thinking = { model, reasoning, signature: "sig" }
const webSearch = { model, query: "sea", results: [result], text, citations: [citation] }

type Row = readonly [string, ReadonlyArray<SseEvent>, ReadonlyArray<object>, string]

const scenarios: ReadonlyArray<Row> = [
  ["text", messages.text({ model, text }), [textBlock], "end_turn"],
  ["text with any stop reason", messages.text({ model, text, stopReason: "odd" }), [textBlock], "odd"],
  ["empty text", messages.text({ model, text: "" }), [{ type: "text", text: "" }], "end_turn"],
  ["nothing at all", messages.empty({ model }), [], "end_turn"],
  ["thinking only", messages.thinking(thinking), [thought], "end_turn"],
  ["thinking and text", messages.thinkingText({ ...thinking, text }), [thought, textBlock], "end_turn"],
  [
    "think-then-call",
    messages.thinkThenCall({ ...cut, ...thinking, ...kelpCall }),
    [thought, used(kelpCall)],
    "tool_use"
  ],
  ["a single call", messages.call({ ...cut, ...kelpCall }), [used(kelpCall)], "tool_use"],
  ["a call without arguments", messages.call({ model, ...kelpCall, arguments: "" }), [{ input: {} }], "tool_use"],
  ["parallel calls", messages.calls({ ...cut, calls }), calls.map(used), "tool_use"],
  ["text and calls", messages.textCalls({ ...cut, text, calls }), [textBlock, ...calls.map(used)], "tool_use"],
  [
    "redacted thinking",
    messages.redactedThinking({ model, data: "xyz", text }),
    [{ type: "redacted_thinking", data: "xyz" }, textBlock],
    "end_turn"
  ],
  [
    "citations",
    messages.citations({ model, text, citations: [citation] }),
    [{ ...textBlock, citations: [citation] }],
    "end_turn"
  ],
  [
    "a web search",
    messages.webSearch(webSearch),
    [search, { type: "web_search_tool_result", content: [result] }, { ...textBlock, citations: [citation] }],
    "end_turn"
  ],
  [
    "a failing web search",
    messages.webSearch({ ...webSearch, errorCode: "unavailable" }),
    [search, { content: { error_code: "unavailable" } }, textBlock],
    "end_turn"
  ],
  ["a stop sequence", messages.stopSequence({ model, text, stopSequence: "calm" }), [textBlock], "stop_sequence"],
  ["a refusal", messages.refusal({ model, category: "cyber" }), [], "refusal"],
  ["a paused turn", messages.pauseTurn({ model, query: "sea", text }), [textBlock, search], "pause_turn"]
]

describe("the Anthropic helper", () => {
  it.each(scenarios)("resolves %s with its blocks and stop reason", async (_scenario, events, blocks, stopReason) => {
    const message = await finalOf(events)

    expect(message.content).toMatchObject(blocks)
    expect(message.content).toHaveLength(blocks.length)
    expect(message.stop_reason).toBe(stopReason)
  })

  it("reads the matched stop sequence and the details of a refusal", async () => {
    const stopped = await finalOf(messages.stopSequence({ model, text, stopSequence: "calm" }))
    const refused = await finalOf(messages.refusal({ model, category: "cyber", explanation: "no" }))

    expect(stopped.stop_sequence).toBe("calm")
    expect(refused.stop_details).toEqual({ type: "refusal", category: "cyber", explanation: "no" })
  })

  it("counts pieces as output tokens and searches as server tool use", async () => {
    const message = await finalOf(messages.webSearch(webSearch))

    expect(message.usage).toMatchObject({
      input_tokens: 10,
      output_tokens: 4,
      server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 }
    })
  })

  it("throws the error of a stream, also as the very first frame", async () => {
    const error = { model, type: "overloaded_error", message: "busy" }

    await expect(finalOf(messages.error(error))).rejects.toMatchObject({ type: "overloaded_error" })
    await expect(finalOf(messages.error({ ...error, text }))).rejects.toMatchObject({ type: "overloaded_error" })
    expect(messages.error(error)).toHaveLength(1)
  })

  it("sees no event of the compact profile", async () => {
    const events = messages.text({ profile: "compact", model, text })

    expect(await drained(await anthropic(events).messages.create({ ...request, stream: true }))).toEqual([])
    await expect(finalOf(events)).rejects.toThrow("request ended without sending any chunks")
  })
})

describe("the Anthropic client", () => {
  it("reads the JSON reply", async () => {
    const message = await anthropicJson(messagesReply.thinkThenCall({ ...thinking, ...kelpCall })).messages.create(
      request
    )

    expect(message.content).toMatchObject([thought, used(kelpCall)])
    expect(message.stop_reason).toBe("tool_use")
  })
})
