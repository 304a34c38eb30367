import { describe, expect, it } from "vitest"
import { chat, chatReply } from "../../../src/wire/chat/chat.ts"
import { codePoints } from "../../../src/wire/splitters.ts"
import { chatDeltas, finishReasons, payloadsOf, valueAt } from "../decoding.ts"
import { kelpCall, model, reefCall, threeWords, twoWords } from "../scenarios.ts"

const cut = { model, splitArguments: codePoints(5) }
const kelp = { callId: "call_kelp", name: "depth", arguments: '{"m":40}' }
const text = threeWords
const reasoning = twoWords
const calls = [kelpCall, reefCall]

const announced = (index: number, { callId, name }: typeof kelp) => ({
  index,
  id: callId,
  type: "function",
  function: { name, arguments: "" }
})

const fragment = (index: number, piece: string) => ({ index, function: { arguments: piece } })

const deltasOf = (events: Parameters<typeof payloadsOf>[0]) => chatDeltas(payloadsOf(events))

describe("the deltas of a full chat stream", () => {
  it("announce a single call in the role chunk", () => {
    const events = chat.call({ ...cut, ...kelp })

    expect(deltasOf(events)).toEqual([
      { role: "assistant", content: null, tool_calls: [announced(0, kelp)], refusal: null },
      { tool_calls: [fragment(0, '{"m":')] },
      { tool_calls: [fragment(0, "40}")] },
      {}
    ])
    expect(finishReasons(payloadsOf(events))).toEqual(["tool_calls"])
    expect(events.at(-1)?.data).toBe("[DONE]")
  })

  it("announce parallel calls one after the other, each before its fragments", () => {
    expect(deltasOf(chat.calls({ ...cut, calls: [kelp, { ...kelp, callId: "c2" }] }))).toEqual([
      { role: "assistant", content: null },
      { tool_calls: [announced(0, kelp)] },
      { tool_calls: [fragment(0, '{"m":')] },
      { tool_calls: [fragment(0, "40}")] },
      { tool_calls: [announced(1, { ...kelp, callId: "c2" })] },
      { tool_calls: [fragment(1, '{"m":')] },
      { tool_calls: [fragment(1, "40}")] },
      {}
    ])
  })

  it("announce interleaved calls together and carry fragments of all that have one left", () => {
    const short = { ...kelp, callId: "c2", arguments: "{}" }

    expect(deltasOf(chat.calls({ ...cut, calls: [kelp, short], order: "interleaved" }))).toEqual([
      { role: "assistant", content: null },
      { tool_calls: [announced(0, kelp), announced(1, short)] },
      { tool_calls: [fragment(0, '{"m":'), fragment(1, "{}")] },
      { tool_calls: [fragment(0, "40}")] },
      {}
    ])
  })

  it("announce a call with all of its arguments where whole calls are asked for", () => {
    const deltas = deltasOf(chat.calls({ model, calls: [kelpCall, reefCall], wholeCalls: true }))

    expect(deltas.map((delta) => valueAt(delta, "tool_calls")).filter((calls) => calls !== undefined)).toEqual(
      [kelpCall, reefCall].map(({ callId, name, arguments: text }, index) => [
        { index, id: callId, type: "function", function: { name, arguments: text } }
      ])
    )
  })

  it("put text before calls", () => {
    const deltas = deltasOf(chat.textCalls({ ...cut, text: "so", calls: [kelp] }))

    expect(deltas.slice(0, 3)).toEqual([
      { role: "assistant", content: "", refusal: null },
      { content: "so" },
      { tool_calls: [announced(0, kelp)] }
    ])
  })

  it("open reasoning with an empty thought, and put it before content", () => {
    expect(deltasOf(chat.reasoningText({ model, reasoning, text: "so" }))).toEqual([
      { role: "assistant", content: "", reasoning_content: "" },
      { reasoning_content: "alpha" },
      { reasoning_content: " beta" },
      { content: "so" },
      {}
    ])
    expect(deltasOf(chat.thinkThenCall({ ...cut, reasoning, ...kelp }))[0]).toEqual({
      role: "assistant",
      content: null,
      reasoning_content: ""
    })
  })

  it("spell the reasoning key as asked", () => {
    const deltas = deltasOf(chat.reasoning({ model, reasoning, reasoningKey: "reasoning" }))

    expect(deltas).toEqual([
      { role: "assistant", content: "", reasoning: "" },
      { reasoning: "alpha" },
      { reasoning: " beta" },
      {}
    ])
  })

  it("carry a refusal instead of content", () => {
    expect(deltasOf(chat.refusal({ model, text: "no way" }))).toEqual([
      { role: "assistant", content: null, refusal: "" },
      { refusal: "no" },
      { refusal: " way" },
      {}
    ])
  })

  it("carry a custom call as free-form input", () => {
    expect(deltasOf(chat.customCall({ ...cut, callId: "c", name: "sh", arguments: "ls -l" }))).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [{ index: 0, id: "c", type: "custom", custom: { name: "sh", input: "" } }],
        refusal: null
      },
      { tool_calls: [{ index: 0, custom: { input: "ls -l" } }] },
      {}
    ])
  })

  it("end audio with its expiry and no finish chunk", () => {
    const events = chat.audio({ model, data: "QUJD", transcript: "a", audioId: "au", expiresAt: 9 })

    expect(deltasOf(events).slice(1)).toEqual([
      { audio: { id: "au" } },
      { audio: { transcript: "a" } },
      { audio: { data: "QUJD" } },
      { audio: { expires_at: 9 } }
    ])
    expect(finishReasons(payloadsOf(events))).toEqual([])
  })
})

describe("the chunks of a full chat stream", () => {
  it("repeat id, creation time and model, the usage chunk included", () => {
    const payloads = payloadsOf(chat.text({ model, text, id: "x", created: 7, includeUsage: true }))

    for (const payload of payloads) expect(payload).toMatchObject({ id: "x", created: 7, model })
    expect(payloads.at(-1)?.["choices"]).toEqual([])
  })

  it("have null usage before the usage chunk, and only where usage was asked for", () => {
    const usages = (includeUsage: boolean) =>
      payloadsOf(chat.text({ model, text: "a", includeUsage })).map((payload) => payload["usage"])

    expect(usages(true).slice(0, -1)).toEqual([null, null, null])
    expect(usages(false)).toEqual([undefined, undefined, undefined])
  })

  it("carry log-probabilities of their piece where asked", () => {
    const payloads = payloadsOf(chat.text({ model, text: "é", logprobs: () => -0.25 }))

    expect(payloads.map((payload) => valueAt(payload, "choices", 0, "logprobs"))).toEqual([
      null,
      { content: [{ token: "é", logprob: -0.25, bytes: [195, 169], top_logprobs: [] }], refusal: null },
      null
    ])
  })

  it("carry padding as their last key where asked", () => {
    const [first] = chat.text({ model, text: "a", obfuscation: "pad", includeUsage: true })

    expect(first?.data.endsWith('],"usage":null,"obfuscation":"pad"}')).toBe(true)
  })

  it.each([
    ["sequential", [0, 0, 0, 1, 1, 1]],
    ["interleaved", [0, 1, 0, 1, 0, 1]]
  ] as const)("of %s choices each have their own role and finish", (order, indexes) => {
    const payloads = payloadsOf(chat.choices({ model, texts: ["a", "b"], order }))

    expect(payloads.map((payload) => valueAt(payload, "choices", 0, "index"))).toEqual(indexes)
    expect(finishReasons(payloads)).toEqual(["stop", "stop"])
  })

  it("report reasoning tokens as part of the completion", () => {
    const usage = payloadsOf(chat.reasoningText({ model, reasoning, text, includeUsage: true })).at(-1)?.["usage"]

    expect(usage).toMatchObject({
      completion_tokens: 5,
      total_tokens: 15,
      completion_tokens_details: { reasoning_tokens: 2 }
    })
  })

  it("end with the error and nothing behind it", () => {
    const error = { message: "boom", type: "T", param: null, code: "C" }
    const events = chat.error({ model, text: "a", message: "boom", type: "T", code: "C", named: true })

    expect(events).toHaveLength(3)
    expect(events.at(-1)).toEqual({ event: "error", data: JSON.stringify({ error }) })
    expect(chat.error({ model, message: "boom" })).toEqual([
      { event: null, data: '{"error":{"message":"boom","type":"server_error","param":null,"code":null}}' }
    ])
  })
})

describe("the chat JSON reply", () => {
  const messageOf = (reply: unknown) => valueAt(reply, "choices", 0, "message")

  it("reads as documented", () => {
    expect(JSON.stringify(chatReply.text({ model: "tide-1", text }))).toBe(
      '{"id":"chatcmpl-mock","object":"chat.completion","created":1234567890,"model":"tide-1","choices":[{"index":0,"message":{"role":"assistant","content":"Sea is calm","refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":3,"total_tokens":13,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}},"service_tier":"default","system_fingerprint":"fp_mock"}'
    )
  })

  it("has calls without index, and no content", () => {
    const reply = chatReply.calls({ model, calls })

    expect(messageOf(reply)).toEqual({
      role: "assistant",
      content: null,
      tool_calls: calls.map(({ callId, name, arguments: input }) => ({
        id: callId,
        type: "function",
        function: { name, arguments: input }
      })),
      refusal: null,
      annotations: []
    })
    expect(valueAt(reply, "choices", 0, "finish_reason")).toBe("tool_calls")
  })

  it("has a custom call with its input", () => {
    expect(messageOf(chatReply.customCall({ model, callId: "c", name: "sh", arguments: "ls" }))).toMatchObject({
      tool_calls: [{ id: "c", type: "custom", custom: { name: "sh", input: "ls" } }]
    })
  })

  it("has the thought beside the content", () => {
    expect(messageOf(chatReply.reasoning({ model, reasoning }))).toMatchObject({
      content: "",
      reasoning_content: reasoning
    })
    expect(messageOf(chatReply.reasoningText({ model, reasoning, text, reasoningKey: "reasoning" }))).toMatchObject({
      content: text,
      reasoning
    })
    expect(messageOf(chatReply.thinkThenCall({ model, reasoning, ...kelp }))).toMatchObject({
      content: null,
      reasoning_content: reasoning,
      tool_calls: [{ id: kelp.callId }]
    })
  })

  it("has text and calls, a refusal, audio, several choices and log-probabilities", () => {
    expect(messageOf(chatReply.textCalls({ model, text, calls }))).toMatchObject({ content: text })
    expect(messageOf(chatReply.refusal({ model, text }))).toMatchObject({ content: null, refusal: text })
    expect(messageOf(chatReply.audio({ model, data: "QQ==", transcript: "a" }))).toMatchObject({
      content: null,
      audio: { data: "QQ==", transcript: "a" }
    })
    expect(chatReply.choices({ model, texts: ["a", "b"] })["choices"]).toMatchObject([
      { index: 0, message: { content: "a" } },
      { index: 1, message: { content: "b" } }
    ])
    expect(valueAt(chatReply.text({ model, text: "a b", logprobs: () => -1 }), "choices", 0, "logprobs")).toMatchObject(
      {
        content: [{ token: "a" }, { token: " b" }],
        refusal: null
      }
    )
  })

  it("takes ids, counts and any finish reason from the options", () => {
    const reply = chatReply.text({ model, text, id: "x", created: 7, finishReason: "odd", usage: { promptTokens: 1 } })

    expect(reply).toMatchObject({
      id: "x",
      created: 7,
      choices: [{ finish_reason: "odd" }],
      usage: { total_tokens: 4 }
    })
  })
})
