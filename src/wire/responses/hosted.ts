import type { JsonObject } from "../json.ts"
import { responsesExact } from "../splitters.ts"
import type { ResponsesOptions } from "./options.ts"
import type { HostedPart, HostedStep } from "./turn.ts"

/**
 * A place in a text that a web search stands behind; indexes count UTF-16 units.
 *
 * @since 0.1.0
 * @category models
 */
export interface UrlCitation {
  readonly startIndex: number
  readonly endIndex: number
  readonly url: string
  readonly title: string
}

/**
 * A search, and the text that cites what it found.
 *
 * @since 0.1.0
 * @category models
 */
export interface WebSearchInput extends ResponsesOptions {
  readonly query: string
  readonly text?: string
  readonly citations?: ReadonlyArray<UrlCitation>
}

/** @since 0.1.0 @category models */
export interface FileSearchInput extends ResponsesOptions {
  readonly queries: ReadonlyArray<string>
  readonly results?: ReadonlyArray<JsonObject> | null
  readonly text?: string
}

/** @since 0.1.0 @category models */
export interface CodeInterpreterInput extends ResponsesOptions {
  readonly code: string
  readonly logs?: string
  readonly containerId?: string
  readonly text?: string
}

/**
 * An image as base64, and the partial images before it.
 *
 * @since 0.1.0
 * @category models
 */
export interface ImageGenerationInput extends ResponsesOptions {
  readonly result: string
  readonly partialImages?: ReadonlyArray<string>
  readonly text?: string
}

/**
 * The list of a remote server's tools, then one call. With `error` the call fails and has no output.
 *
 * @since 0.1.0
 * @category models
 */
export interface McpInput extends ResponsesOptions {
  readonly serverLabel: string
  readonly name: string
  readonly arguments: string
  readonly output?: string
  readonly error?: string
  readonly tools?: ReadonlyArray<JsonObject>
  readonly text?: string
}

/** @since 0.1.0 @category constructors */
export const urlCitation = ({ startIndex, endIndex, url, title }: UrlCitation): JsonObject => ({
  type: "url_citation",
  start_index: startIndex,
  end_index: endIndex,
  url,
  title
})

/** @since 0.1.0 @category constructors */
export const webSearchPart = ({ query }: WebSearchInput): HostedPart => {
  const item = (status: string) => ({ type: "web_search_call", status, action: { type: "search", query } })
  const steps = statusSteps("response.web_search_call", ["in_progress", "searching", "completed"])
  return { kind: "hosted", idPrefix: "ws", added: item("in_progress"), done: item("completed"), steps }
}

/** @since 0.1.0 @category constructors */
export const fileSearchPart = ({ queries, results = null }: FileSearchInput): HostedPart => {
  const item = (status: string, found: unknown) => ({ type: "file_search_call", status, queries, results: found })
  const steps = statusSteps("response.file_search_call", ["in_progress", "searching", "completed"])
  return { kind: "hosted", idPrefix: "fs", added: item("in_progress", null), done: item("completed", results), steps }
}

/** @since 0.1.0 @category constructors */
export const codeInterpreterPart = (input: CodeInterpreterInput): HostedPart => {
  const outputs = input.logs === undefined ? null : [{ type: "logs", logs: input.logs }]
  const item = (status: string, code: string, outputs: unknown) => ({
    type: "code_interpreter_call",
    status,
    code,
    container_id: input.containerId ?? "cntr_mock",
    outputs
  })
  return {
    kind: "hosted",
    idPrefix: "ci",
    added: item("in_progress", "", null),
    done: item("completed", input.code, outputs),
    steps: [
      ...statusSteps("response.code_interpreter_call", ["in_progress"]),
      ...deltaSteps("response.code_interpreter_call_code.delta", input.code, input),
      { event: "response.code_interpreter_call_code.done", fields: { code: input.code } },
      ...statusSteps("response.code_interpreter_call", ["interpreting", "completed"])
    ]
  }
}

/** @since 0.1.0 @category constructors */
export const imageGenerationPart = ({ result, partialImages = [] }: ImageGenerationInput): HostedPart => {
  const item = (status: string, image: string | null) => ({ type: "image_generation_call", status, result: image })
  const partials = partialImages.map((image, index) => ({
    event: "response.image_generation_call.partial_image",
    fields: { partial_image_index: index, partial_image_b64: image }
  }))
  return {
    kind: "hosted",
    idPrefix: "ig",
    added: item("in_progress", null),
    done: item("completed", result),
    steps: [
      ...statusSteps("response.image_generation_call", ["in_progress", "generating"]),
      ...partials,
      ...statusSteps("response.image_generation_call", ["completed"])
    ]
  }
}

/** @since 0.1.0 @category constructors */
export const mcpListToolsPart = ({ serverLabel, tools, name }: McpInput): HostedPart => {
  const item = (listed: ReadonlyArray<JsonObject>) => ({
    type: "mcp_list_tools",
    server_label: serverLabel,
    tools: listed
  })
  const listed = tools ?? [{ name, input_schema: { type: "object" }, description: null, annotations: null }]
  const steps = statusSteps("response.mcp_list_tools", ["in_progress", "completed"])
  return { kind: "hosted", idPrefix: "mcpl", added: item([]), done: item(listed), steps }
}

/** @since 0.1.0 @category constructors */
export const mcpCallPart = (input: McpInput): HostedPart => {
  const error = input.error ?? null
  const call = (status: string, text: string, result: { readonly output: string | null; readonly error: unknown }) => ({
    type: "mcp_call",
    status,
    server_label: input.serverLabel,
    name: input.name,
    arguments: text,
    ...result,
    approval_request_id: null
  })
  const end = error === null ? "completed" : "failed"
  const result = { output: error === null ? (input.output ?? "") : null, error }
  return {
    kind: "hosted",
    idPrefix: "mcp",
    added: call("in_progress", "", { output: null, error: null }),
    done: call(end, input.arguments, result),
    steps: [
      ...statusSteps("response.mcp_call", ["in_progress"]),
      ...deltaSteps("response.mcp_call_arguments.delta", input.arguments, input),
      { event: "response.mcp_call_arguments.done", fields: { arguments: input.arguments } },
      ...statusSteps("response.mcp_call", [end])
    ]
  }
}

const statusSteps = (stem: string, statuses: ReadonlyArray<string>): ReadonlyArray<HostedStep> =>
  statuses.map((status) => ({ event: `${stem}.${status}`, fields: {} }))

const deltaSteps = (event: string, text: string, options: ResponsesOptions): ReadonlyArray<HostedStep> =>
  (options.splitArguments ?? responsesExact)(text).map((delta) => ({ event, fields: { delta } }))
