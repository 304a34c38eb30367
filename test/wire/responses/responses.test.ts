import { describe, expect, it } from "vitest"
import type { SseEvent } from "../../../src/domain/sse-event.ts"
import { responses, responsesReply } from "../../../src/wire/responses/responses.ts"
import { codePoints } from "../../../src/wire/splitters.ts"
import { ofType, payloadsOf, typesOf, valueAt } from "../decoding.ts"
import { kelpCall, model, reefCall, threeWords, twoWords } from "../scenarios.ts"

const cut = { model, splitArguments: codePoints(5) }
const text = threeWords
const reasoning = twoWords
const calls = [kelpCall, reefCall]
const citations = [{ startIndex: 0, endIndex: 3, url: "https://sea.test/", title: "Sea" }]

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
      encrypted_content: "gAAA"
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

describe("the doom-loop trio in profile full", () => {
  it("puts the checks behind the last reasoning delta", () => {
    const types = bodyTypes(responses.doomCheck({ model, reasoning, labels: ["a", "b"] }))

    expect(types.slice(3, 7)).toEqual([
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "doom_loop_check"
    ])
  })
})

describe("hosted tools in a full Responses stream", () => {
  it("search the web and annotate the text between its last delta and its end", () => {
    const events = responses.webSearch({ model, query: "sea", text: "Sea", citations })

    expect(bodyTypes(events)).toEqual([
      "output_item.added",
      "web_search_call.in_progress",
      "web_search_call.searching",
      "web_search_call.completed",
      "output_item.done",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.annotation.added",
      "output_text.done",
      "content_part.done",
      "output_item.done"
    ])
    const annotation = { type: "url_citation", start_index: 0, end_index: 3, url: "https://sea.test/", title: "Sea" }
    expect(ofType(payloadsOf(events), "response.output_text.annotation.added")[0]).toMatchObject({
      item_id: "msg_mock_1",
      annotation_index: 0,
      annotation
    })
    expect(terminalOf(events)).toMatchObject({
      output: [
        { id: "ws_mock_0", status: "completed", action: { type: "search", query: "sea" } },
        { content: [{ annotations: [annotation] }] }
      ]
    })
  })

  it("search files", () => {
    const events = responses.fileSearch({ model, queries: ["sea"], results: [{ file_id: "f" }] })

    expect(bodyTypes(events)).toEqual([
      "output_item.added",
      "file_search_call.in_progress",
      "file_search_call.searching",
      "file_search_call.completed",
      "output_item.done"
    ])
    expect(terminalOf(events)).toMatchObject({ output: [{ queries: ["sea"], results: [{ file_id: "f" }] }] })
  })

  it("run code, whose text comes before it is interpreted", () => {
    const events = responses.codeInterpreter({ ...cut, code: "1 + 1 + 1", logs: "3" })

    expect(bodyTypes(events)).toEqual([
      "output_item.added",
      "code_interpreter_call.in_progress",
      "code_interpreter_call_code.delta",
      "code_interpreter_call_code.delta",
      "code_interpreter_call_code.done",
      "code_interpreter_call.interpreting",
      "code_interpreter_call.completed",
      "output_item.done"
    ])
    expect(terminalOf(events)).toMatchObject({
      output: [{ code: "1 + 1 + 1", container_id: "cntr_mock", outputs: [{ type: "logs", logs: "3" }] }]
    })
  })

  it("make images, partial ones first", () => {
    const events = responses.imageGeneration({ model, result: "QUJD", partialImages: ["QQ=="] })

    expect(bodyTypes(events)).toEqual([
      "output_item.added",
      "image_generation_call.in_progress",
      "image_generation_call.generating",
      "image_generation_call.partial_image",
      "image_generation_call.completed",
      "output_item.done"
    ])
    expect(payloadsOf(events)[5]).toMatchObject({ partial_image_index: 0, partial_image_b64: "QQ==" })
    expect(terminalOf(events)).toMatchObject({ output: [{ result: "QUJD" }] })
  })

  it("list MCP tools before calling one, which may fail", () => {
    const input = { model, serverLabel: "sea", name: "depth", arguments: "{}", output: "deep" }

    expect(bodyTypes(responses.mcp(input))).toEqual([
      "output_item.added",
      "mcp_list_tools.in_progress",
      "mcp_list_tools.completed",
      "output_item.done",
      "output_item.added",
      "mcp_call.in_progress",
      "mcp_call_arguments.delta",
      "mcp_call_arguments.done",
      "mcp_call.completed",
      "output_item.done"
    ])
    expect(terminalOf(responses.mcp(input))).toMatchObject({
      output: [{ tools: [{ name: "depth" }] }, { status: "completed", output: "deep", error: null }]
    })
    expect(terminalOf(responses.mcp({ ...input, error: "no" }))).toMatchObject({
      output: [{}, { status: "failed", output: null, error: "no" }]
    })
  })
})

describe("the Responses JSON reply", () => {
  it("is the response object of the terminal event, without the text shortcut", () => {
    const pairs = [
      [responses.text({ model, text }), responsesReply.text({ model, text })],
      [responses.incomplete({ model, text }), responsesReply.incomplete({ model, text })],
      [responses.failed({ model, message: "boom" }), responsesReply.failed({ model, message: "boom" })],
      [responses.calls({ model, calls }), responsesReply.calls({ model, calls })],
      [
        responses.doomCheck({ model, reasoning, labels: ["a"] }),
        responsesReply.doomCheck({ model, reasoning, labels: ["a"] })
      ]
    ] as const

    for (const [events, reply] of pairs) {
      expect(JSON.stringify(reply)).toBe(JSON.stringify(terminalOf(events)))
      expect(reply).not.toHaveProperty("output_text")
    }
  })
})
