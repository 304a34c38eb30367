import { describe, expect, it } from "vitest"
import type { SseEvent } from "../../src/domain/sse-event.ts"
import { responses, responsesReply } from "../../src/wire/responses/responses.ts"
import { codePoints } from "../../src/wire/splitters.ts"
import { kelpCall, model, reefCall, threeWords, twoWords } from "./scenarios.ts"
import { drained, openAi, openAiJson } from "./sdk-clients.ts"

const request = { model, input: "hi" }
const cut = { model, splitArguments: codePoints(4) }
const text = threeWords
const reasoning = twoWords
const calls = [kelpCall, reefCall]
const citations = [{ startIndex: 0, endIndex: 3, url: "https://sea.test/", title: "Sea" }]
const mcp = { serverLabel: "sea", name: "depth", arguments: '{"m": 40}', output: "deep" }

const finalOf = (events: ReadonlyArray<SseEvent>) => openAi(events).responses.stream(request).finalResponse()

const rawOf = async (events: ReadonlyArray<SseEvent>) =>
  drained(await openAi(events).responses.create({ ...request, stream: true }))

const scenarios: ReadonlyArray<readonly [string, ReadonlyArray<SseEvent>, string, ReadonlyArray<string>]> = [
  ["text", responses.text({ model, text }), text, ["message"]],
  [
    "text with padding and a done marker",
    responses.text({ model, text, obfuscation: "xyz", doneMarker: true }),
    text,
    ["message"]
  ],
  ["empty text", responses.text({ model, text: "" }), "", ["message"]],
  ["reasoning only", responses.reasoning({ model, reasoning }), "", ["reasoning"]],
  ["reasoning and text", responses.reasoningText({ model, reasoning, text }), text, ["reasoning", "message"]],
  ["raw reasoning", responses.rawReasoning({ model, reasoning, text }), text, ["reasoning", "message"]],
  ["encrypted reasoning", responses.encryptedReasoning({ model, encryptedContent: "gAAA" }), "", ["reasoning"]],
  ["several summary parts", responses.summaries({ model, summaries: ["a b", "c"] }), "", ["reasoning"]],
  ["a single call", responses.call({ ...cut, ...kelpCall }), "", ["function_call"]],
  ["parallel calls", responses.calls({ ...cut, calls }), "", ["function_call", "function_call"]],
  [
    "interleaved calls",
    responses.calls({ ...cut, calls, order: "interleaved" }),
    "",
    ["function_call", "function_call"]
  ],
  ["a custom call", responses.customCall({ ...cut, ...kelpCall }), "", ["custom_tool_call"]],
  ["think-then-call", responses.thinkThenCall({ ...cut, reasoning, ...kelpCall }), "", ["reasoning", "function_call"]],
  ["text and a call", responses.textCalls({ ...cut, text, calls: [kelpCall] }), text, ["message", "function_call"]],
  ["a refusal", responses.refusal({ model, text }), "", ["message"]],
  ["an incomplete answer", responses.incomplete({ model, text }), text, ["message"]],
  ["a failure", responses.failed({ model, message: "boom", text }), text, ["message"]],
  ["a failure at once", responses.failed({ model, message: "boom" }), "", []],
  ["a web search", responses.webSearch({ model, query: "sea", text, citations }), text, ["web_search_call", "message"]],
  ["a file search", responses.fileSearch({ model, queries: ["sea"], text }), text, ["file_search_call", "message"]],
  [
    "the code interpreter",
    responses.codeInterpreter({ ...cut, code: "1 + 1", logs: "2", text }),
    text,
    ["code_interpreter_call", "message"]
  ],
  [
    "an image",
    responses.imageGeneration({ model, result: "QUJD", partialImages: ["QQ==", "QUI="] }),
    "",
    ["image_generation_call"]
  ],
  ["an MCP call", responses.mcp({ ...cut, ...mcp, text }), text, ["mcp_list_tools", "mcp_call", "message"]],
  ["a failing MCP call", responses.mcp({ ...cut, ...mcp, error: "no" }), "", ["mcp_list_tools", "mcp_call"]],
  ["a queued start", responses.queued({ model, text }), text, ["message"]]
]

describe("the openai Responses helper", () => {
  it.each(scenarios)("resolves %s with its text and items", async (_scenario, events, outputText, itemTypes) => {
    const response = await finalOf(events)

    expect(response.output_text).toBe(outputText)
    expect(response.output.map((item) => item.type)).toEqual(itemTypes)
  })

  it("accumulates the arguments of interleaved calls apart", async () => {
    const response = await finalOf(responses.calls({ ...cut, calls, order: "interleaved" }))

    expect(response.output).toMatchObject(
      calls.map(({ callId, name, arguments: input }) => ({ call_id: callId, name, arguments: input }))
    )
  })

  it("keeps the annotation of a web search", async () => {
    const response = await finalOf(responses.webSearch({ model, query: "sea", text, citations }))

    expect(response.output[1]).toMatchObject({
      content: [{ annotations: [{ type: "url_citation", start_index: 0, end_index: 3, url: "https://sea.test/" }] }]
    })
  })

  it("resolves a failure and an incomplete answer with their status", async () => {
    const failed = await finalOf(responses.failed({ model, message: "boom" }))
    const incomplete = await finalOf(responses.incomplete({ model, text, reason: "content_filter" }))

    expect([failed.status, failed.error?.code, failed.error?.message]).toEqual(["failed", "server_error", "boom"])
    expect([incomplete.status, incomplete.incomplete_details?.reason]).toEqual(["incomplete", "content_filter"])
  })

  it("rejects a nested error with an APIError, and a flat one with the event itself", async () => {
    const nested = finalOf(responses.error({ model, message: "boom", text, shape: "nested", code: "C" }))
    const flat = finalOf(responses.error({ model, message: "boom", text, code: "C" }))

    await expect(nested).rejects.toMatchObject({ status: undefined, code: "C" })
    await expect(flat).rejects.toMatchObject({ code: "C", message: "boom" })
  })

  it("rejects compact text, which raw iteration reads", async () => {
    const events = responses.text({ profile: "compact", model, text })

    await expect(finalOf(events)).rejects.toThrow("missing output at index 0")
    expect((await rawOf(events)).map((event) => event.type)).toEqual([
      "response.created",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.completed"
    ])
  })

  it.each(["compact", "full"] as const)("rejects a %s doom-loop turn, which raw iteration reads", async (profile) => {
    const events = responses.doomCheck({ profile, model, reasoning, labels: ["low_logprob@thinking"] })
    const types: ReadonlyArray<string> = (await rawOf(events)).map((event) => event.type)

    expect(types).toContain("response.doom_loop_check")
    if (profile === "full") await expect(finalOf(events)).rejects.toThrow("Unhandled response stream event")
  })

  it("resolves a doom report that stands on the terminal object alone", async () => {
    const events = responses.doomTerminal({ model, reasoning, text, labels: ["low_logprob@thinking"] })
    const response = await finalOf(events)

    expect(response.output_text).toBe(text)
    expect(response).toMatchObject({ doom_loop_check: { triggers: ["low_logprob@thinking"] } })
  })
})

describe("the openai Responses client", () => {
  it("reads the JSON reply and computes the text itself", async () => {
    const client = openAiJson(responsesReply.reasoningText({ model, reasoning, text }))
    const response = await client.responses.create(request)

    expect(response.output_text).toBe(text)
    expect(response.usage?.output_tokens_details.reasoning_tokens).toBe(2)
  })
})
