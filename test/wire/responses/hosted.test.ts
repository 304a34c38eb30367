import { describe, expect, it } from "vitest"
import type { SseEvent } from "../../../src/domain/sse-event.ts"
import { responses } from "../../../src/wire/responses/responses.ts"
import { codePoints } from "../../../src/wire/splitters.ts"
import { ofType, payloadsOf, typesOf } from "../decoding.ts"
import { model, twoWords } from "../scenarios.ts"

const cut = { model, splitArguments: codePoints(5) }
const reasoning = twoWords
const citations = [{ startIndex: 0, endIndex: 3, url: "https://sea.test/", title: "Sea" }]

/** Event types between the opening pair and the terminal event, without the `response.` prefix. */
const bodyTypes = (events: ReadonlyArray<SseEvent>) =>
  typesOf(payloadsOf(events))
    .slice(2, -1)
    .map((type) => String(type).replace("response.", ""))

const terminalOf = (events: ReadonlyArray<SseEvent>) => payloadsOf(events).at(-1)?.["response"]

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
