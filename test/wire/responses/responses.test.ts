import { describe, expect, it } from "vitest"
import type { SseEvent } from "../../../src/domain/sse-event.ts"
import { responses } from "../../../src/wire/responses/responses.ts"
import { codePoints } from "../../../src/wire/splitters.ts"
import { ofType, payloadsOf, typesOf, valueAt } from "../decoding.ts"
import { kelpCall, model, reefCall, threeWords, twoWords } from "../scenarios.ts"

const cut = { model, splitArguments: codePoints(5) }
const text = threeWords
const reasoning = twoWords
const calls = [kelpCall, reefCall]

/** Event types between the opening pair and the terminal event, without the `response.` prefix. */
const bodyTypes = (events: ReadonlyArray<SseEvent>) =>
  typesOf(payloadsOf(events))
    .slice(2, -1)
    .map((type) => String(type).replace("response.", ""))

const terminalOf = (events: ReadonlyArray<SseEvent>) => payloadsOf(events).at(-1)?.["response"]

const messageTypes = (deltas: number) => [
  "output_item.added",
  "content_part.added",
  ...Array.from({ length: deltas }, () => "output_text.delta"),
  "output_text.done",
  "content_part.done",
  "output_item.done"
]

const everyFull: ReadonlyArray<readonly [string, ReadonlyArray<SseEvent>]> = [
  ["text", responses.text({ model, text })],
  ["reasoning and text", responses.reasoningText({ model, reasoning, text })],
  ["interleaved calls", responses.calls({ ...cut, calls, order: "interleaved" })],
  ["a doom check", responses.doomCheck({ model, reasoning, labels: ["a", "b"] })],
  ["a queued start", responses.queued({ model, text })],
  ["a flat error", responses.error({ model, message: "boom", text })]
]

describe("a full Responses stream", () => {
  it.each(everyFull)("of %s names every event by its type and numbers them from 0", (_scenario, events) => {
    const payloads = payloadsOf(events)

    expect(events.map(({ event }) => event)).toEqual(typesOf(payloads))
    expect(payloads.map((payload) => payload["sequence_number"])).toEqual(payloads.map((_, index) => index))
  })

  it("opens with a response that has no output and no usage, and ends with both", () => {
    const payloads = payloadsOf(responses.text({ model, text }))
    const open = { status: "in_progress", completed_at: null, output: [], usage: null }

    expect(payloads[0]?.["response"]).toMatchObject(open)
    expect(payloads[1]?.["response"]).toEqual(payloads[0]?.["response"])
    expect(payloads.at(-1)?.["response"]).toMatchObject({
      status: "completed",
      completed_at: 1234567890,
      output: [{ id: "msg_mock_0", type: "message", status: "completed" }],
      usage: { input_tokens: 10, output_tokens: 3, total_tokens: 13 }
    })
  })

  it("writes the keys of the response object in the documented order", () => {
    const response = terminalOf(responses.doomTerminal({ model, reasoning, text, labels: ["a"] })) ?? {}

    expect(Object.keys(response).join(" ")).toBe(
      "id object created_at status background completed_at error incomplete_details instructions max_output_tokens max_tool_calls metadata model output parallel_tool_calls previous_response_id prompt_cache_key reasoning safety_identifier service_tier store temperature text tool_choice tools top_logprobs top_p truncation usage user access_programs doom_loop_check"
    )
  })

  it("puts reasoning in a block of its own before the text", () => {
    expect(bodyTypes(responses.reasoningText({ model, reasoning, text: "so" }))).toEqual([
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
      ...messageTypes(1)
    ])
  })

  it("repeats the part events for each summary part", () => {
    const events = responses.summaries({ model, summaries: ["a", "b"], encryptedContent: "gAAA" })
    const added = ofType(payloadsOf(events), "response.reasoning_summary_part.added")

    expect(added.map((payload) => payload["summary_index"])).toEqual([0, 1])
    expect(terminalOf(events)).toMatchObject({
      output: [{ summary: [{ text: "a" }, { text: "b" }], encrypted_content: "gAAA" }]
    })
  })

  it("streams a raw chain of thought as content parts", () => {
    const events = responses.rawReasoning({ model, reasoning: "hm" })

    expect(bodyTypes(events)).toEqual([
      "output_item.added",
      "content_part.added",
      "reasoning_text.delta",
      "reasoning_text.done",
      "content_part.done",
      "output_item.done"
    ])
    expect(terminalOf(events)).toMatchObject({
      output: [{ type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "hm" }] }]
    })
  })

  it("closes an encrypted thought directly after it was added, and shows the blob only then", () => {
    const payloads = payloadsOf(responses.encryptedReasoning({ model, encryptedContent: "gAAA" }))

    expect(valueAt(payloads[2], "item")).toEqual({ id: "rs_mock_0", type: "reasoning", summary: [] })
    expect(valueAt(payloads[3], "item")).toEqual({
      id: "rs_mock_0",
      type: "reasoning",
      summary: [],
      encrypted_content: "gAAA",
      status: "completed"
    })
    expect(payloads).toHaveLength(5)
  })

  it.each([
    [{ include: ["reasoning.encrypted_content"] }, "gAAA"],
    [{ store: false }, "gAAA"],
    [{ store: true, include: [] }, undefined],
    [{}, undefined]
  ])("shows the encrypted thought to the request %j only if it asked", (request, expected) => {
    const events = responses.encryptedReasoning({ model, encryptedContent: "gAAA", request })

    expect(valueAt(terminalOf(events), "output", 0, "encrypted_content")).toBe(expected)
  })

  it("streams a call under its item id and refers to its call id in the item", () => {
    const payloads = payloadsOf(responses.call({ ...cut, callId: "c", name: "f", arguments: '{"m":40}' }))

    expect(payloads.slice(2, -1)).toEqual([
      {
        type: "response.output_item.added",
        sequence_number: 2,
        output_index: 0,
        item: { id: "fc_mock_0", type: "function_call", status: "in_progress", call_id: "c", name: "f", arguments: "" }
      },
      {
        type: "response.function_call_arguments.delta",
        sequence_number: 3,
        item_id: "fc_mock_0",
        output_index: 0,
        delta: '{"m":'
      },
      {
        type: "response.function_call_arguments.delta",
        sequence_number: 4,
        item_id: "fc_mock_0",
        output_index: 0,
        delta: "40}"
      },
      {
        type: "response.function_call_arguments.done",
        sequence_number: 5,
        item_id: "fc_mock_0",
        output_index: 0,
        name: "f",
        arguments: '{"m":40}'
      },
      {
        type: "response.output_item.done",
        sequence_number: 6,
        output_index: 0,
        item: {
          id: "fc_mock_0",
          type: "function_call",
          status: "completed",
          call_id: "c",
          name: "f",
          arguments: '{"m":40}'
        }
      }
    ])
  })

  it("streams a custom call with its input", () => {
    const events = responses.customCall({ ...cut, callId: "c", name: "sh", arguments: "ls" })

    expect(bodyTypes(events)).toEqual([
      "output_item.added",
      "custom_tool_call_input.delta",
      "custom_tool_call_input.done",
      "output_item.done"
    ])
    expect(terminalOf(events)).toMatchObject({
      output: [{ id: "ctc_mock_0", type: "custom_tool_call", call_id: "c", name: "sh", input: "ls" }]
    })
  })

  it("gives parallel calls a block each, and interleaved ones their deltas in turns", () => {
    const indexes = (order: "sequential" | "interleaved") =>
      ofType(payloadsOf(responses.calls({ ...cut, calls, order })), "response.function_call_arguments.delta").map(
        (payload) => payload["output_index"]
      )

    expect(indexes("sequential")).toEqual([0, 0, 1, 1, 1, 1, 1])
    expect(indexes("interleaved")).toEqual([0, 1, 0, 1, 1, 1, 1])
  })

  it("streams a refusal as a part of a message", () => {
    const events = responses.refusal({ model, text: "no" })

    expect(bodyTypes(events)).toEqual([
      "output_item.added",
      "content_part.added",
      "refusal.delta",
      "refusal.done",
      "content_part.done",
      "output_item.done"
    ])
    expect(terminalOf(events)).toMatchObject({ output: [{ content: [{ type: "refusal", refusal: "no" }] }] })
  })

  it("ends an incomplete answer and a failure with their open item incomplete", () => {
    const incomplete = payloadsOf(responses.incomplete({ model, text })).at(-1)
    const failed = payloadsOf(responses.failed({ model, text, message: "boom", code: "rate_limit_exceeded" })).at(-1)

    expect(incomplete).toMatchObject({
      type: "response.incomplete",
      response: {
        status: "incomplete",
        completed_at: null,
        incomplete_details: { reason: "max_output_tokens" },
        output: [{ status: "incomplete" }]
      }
    })
    expect(failed).toMatchObject({
      type: "response.failed",
      response: {
        status: "failed",
        error: { code: "rate_limit_exceeded", message: "boom" },
        output: [{ status: "incomplete" }]
      }
    })
  })

  it("writes a stream error flat or nested, named or not, behind the pieces", () => {
    const error = { model, text: "a", message: "boom", code: "C", param: "P" }

    expect(responses.error(error).at(-1)).toEqual({
      event: "error",
      data: '{"type":"error","code":"C","message":"boom","param":"P","sequence_number":5}'
    })
    expect(responses.error({ ...error, shape: "nested", named: false }).at(-1)).toEqual({
      event: null,
      data: '{"type":"error","error":{"type":"server_error","code":"C","message":"boom","param":"P"}}'
    })
    expect(responses.error({ model, message: "boom" })).toHaveLength(3)
  })

  it("starts queued where asked", () => {
    const payloads = payloadsOf(responses.queued({ model, text }))

    expect(typesOf(payloads).slice(0, 3)).toEqual(["response.created", "response.queued", "response.in_progress"])
    expect(payloads.slice(0, 3).map((payload) => valueAt(payload, "response", "status"))).toEqual([
      "queued",
      "queued",
      "in_progress"
    ])
  })

  it("takes ids, counts, padding and the done marker from the options", () => {
    const events = responses.text({
      model,
      text: "a",
      id: "x",
      created: 7,
      itemId: (prefix, index) => `${prefix}-${index}`,
      usage: { outputTokens: 9, reasoningTokens: 4, cachedTokens: 3, cacheWriteTokens: 2 },
      obfuscation: "pad",
      doneMarker: true
    })

    expect(events.at(-1)).toEqual({ event: null, data: "[DONE]" })
    expect(events[4]?.data).toBe(
      '{"type":"response.output_text.delta","sequence_number":4,"item_id":"msg-0","output_index":0,"content_index":0,"delta":"a","logprobs":[],"obfuscation":"pad"}'
    )
    expect(payloadsOf(events).at(-1)?.["response"]).toMatchObject({
      id: "x",
      created_at: 7,
      usage: {
        input_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
        output_tokens: 9,
        output_tokens_details: { reasoning_tokens: 4 },
        total_tokens: 19
      }
    })
  })
})
