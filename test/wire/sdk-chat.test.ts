import { describe, expect, it } from "vitest"
import type { SseEvent } from "../../src/domain/sse-event.ts"
import { chat, chatReply } from "../../src/wire/chat/chat.ts"
import { minimalChat } from "../../src/wire/chat/minimal.ts"
import { codePoints } from "../../src/wire/splitters.ts"
import { kelpCall, model, reefCall, threeWords, twoWords } from "./scenarios.ts"
import { drained, openAi, openAiJson } from "./sdk-clients.ts"

const request = { model, messages: [{ role: "user" as const, content: "hi" }] }
const cut = { model, splitArguments: codePoints(4) }
const text = threeWords
const reasoning = twoWords

const finalOf = (events: ReadonlyArray<SseEvent>) =>
  openAi(events).chat.completions.stream(request).finalChatCompletion()

const called = ({ callId, name, arguments: input }: typeof kelpCall) => ({
  id: callId,
  type: "function",
  function: { name, arguments: input }
})

const bothCalls = [called(kelpCall), called(reefCall)]
const calls = [kelpCall, reefCall]

// The helper makes `null` of empty content.
const scenarios: ReadonlyArray<readonly [string, ReadonlyArray<SseEvent>, object]> = [
  ["text", chat.text({ model, text }), { message: { content: text }, finish_reason: "stop" }],
  [
    "compact text",
    chat.text({ profile: "compact", model, text }),
    { message: { content: text }, finish_reason: "stop" }
  ],
  ["empty text", chat.text({ model, text: "" }), { message: { content: null }, finish_reason: "stop" }],
  ["any finish reason", chat.text({ model, text, finishReason: "odd" }), { finish_reason: "odd" }],
  [
    "logprobs",
    chat.text({ model, text, logprobs: () => -0.5 }),
    { logprobs: { content: [{ token: "Sea" }, { token: " is" }, { token: " calm" }] } }
  ],
  ["padding", chat.text({ model, text, obfuscation: "xyz" }), { message: { content: text } }],
  ["reasoning only", chat.reasoning({ model, reasoning }), { message: { content: null }, finish_reason: "stop" }],
  ["reasoning and text", chat.reasoningText({ model, reasoning, text }), { message: { content: text } }],
  [
    "a single call",
    chat.call({ ...cut, ...kelpCall }),
    { message: { content: null, tool_calls: [called(kelpCall)] }, finish_reason: "tool_calls" }
  ],
  [
    "parallel calls",
    chat.calls({ ...cut, calls }),
    { message: { content: null, tool_calls: bothCalls }, finish_reason: "tool_calls" }
  ],
  ["interleaved calls", chat.calls({ ...cut, calls, order: "interleaved" }), { message: { tool_calls: bothCalls } }],
  ["text and calls", chat.textCalls({ ...cut, text, calls }), { message: { content: text, tool_calls: bothCalls } }],
  [
    "think-then-call",
    chat.thinkThenCall({ ...cut, reasoning, ...kelpCall }),
    { message: { content: null, tool_calls: [called(kelpCall)] } }
  ],
  [
    "compact think-then-call",
    chat.thinkThenCall({ profile: "compact", model, reasoning, ...kelpCall }),
    { message: { content: null, tool_calls: [called(kelpCall)] } }
  ],
  ["a refusal", chat.refusal({ model, text }), { message: { content: null, refusal: text }, finish_reason: "stop" }]
]

describe("the openai chat helper", () => {
  it.each(scenarios)("accumulates %s", async (_scenario, events, expected) => {
    const completion = await finalOf(events)

    expect(completion.choices[0]).toMatchObject(expected)
  })

  it("has usage exactly when it was asked for", async () => {
    const asked = await finalOf(chat.text({ model, text, includeUsage: true }))
    const unasked = await finalOf(chat.text({ model, text }))

    expect(asked.usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 })
    expect(unasked.usage).toBeUndefined()
  })

  it.each(["sequential", "interleaved"] as const)("accumulates %s choices", async (order) => {
    const completion = await finalOf(chat.choices({ model, texts: ["one two", "three", ""], order }))

    expect(completion.choices.map((choice) => [choice.index, choice.message.content])).toEqual([
      [0, "one two"],
      [1, "three"],
      [2, null]
    ])
  })

  it("accepts audio without a finish chunk", async () => {
    const client = openAi(chat.audio({ model, data: "QUJD", transcript: "a b" }))

    await expect(client.chat.completions.stream(request).done()).resolves.toBeUndefined()
  })

  it("throws the error of a stream, named or not", async () => {
    for (const named of [false, true]) {
      const error = { message: "boom", type: "T", code: "C", param: "P" }
      await expect(finalOf(chat.error({ model, text, named, ...error }))).rejects.toMatchObject({
        status: undefined,
        type: "T",
        code: "C",
        param: "P"
      })
    }
  })

  it("rejects the minimal dialect, which raw iteration reads", async () => {
    const events = minimalChat.text({ text: "mock response" })

    await expect(finalOf(events)).rejects.toThrow("missing role for choice 0")
    const chunks = await drained(await openAi(events).chat.completions.create({ ...request, stream: true }))
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content)).toEqual(["mock res", "ponse", ""])
  })

  it("reads a custom call by raw iteration", async () => {
    const events = chat.customCall({ ...cut, ...kelpCall })
    const chunks = await drained(await openAi(events).chat.completions.create({ ...request, stream: true }))

    expect(chunks[0]?.choices[0]?.delta.tool_calls?.[0]).toEqual({
      index: 0,
      id: kelpCall.callId,
      type: "custom",
      custom: { name: kelpCall.name, input: "" }
    })
  })

  it("rejects a blank compact echo, which has no choice", async () => {
    await expect(finalOf(chat.text({ profile: "compact", model, text: "", split: () => [] }))).rejects.toThrow(
      "stream ended without producing a ChatCompletionMessage with role=assistant"
    )
  })
})

describe("the openai chat client", () => {
  it("reads the JSON reply", async () => {
    const client = openAiJson(chatReply.calls({ model, calls }))
    const completion = await client.chat.completions.create(request)

    expect(completion.choices[0]?.message).toMatchObject({ content: null, tool_calls: bothCalls })
    expect(completion.usage?.prompt_tokens).toBe(10)
  })
})
