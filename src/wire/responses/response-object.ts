import { isRecord } from "../../domain/json.ts"
import type { JsonObject } from "../json.ts"
import type { ResponsesOptions } from "./options.ts"
import type { ResponsesTurn } from "./turn.ts"
import { responsesUsage } from "./usage.ts"

/**
 * The response object of profile full while it is open: `in_progress` or `queued`, no output, no usage.
 *
 * **Source** wire-formats.md, section 2B.2
 *
 * @since 0.1.0
 * @category encoding
 */
export const openResponse = (status: "in_progress" | "queued", options: ResponsesOptions): JsonObject =>
  responseObject({ status, completedAt: null, error: null, incompleteDetails: null, output: [], usage: null }, options)

/**
 * The response object of profile full at its end, which is also the JSON reply.
 *
 * **Source** wire-formats.md, sections 2B.2, 2B.9 and 2B.10
 *
 * @since 0.1.0
 * @category encoding
 */
export const finalResponse = (
  turn: ResponsesTurn,
  output: ReadonlyArray<JsonObject>,
  options: ResponsesOptions
): JsonObject => {
  const { ending, labels } = turn
  const state = {
    status: ending.kind === "error" ? "failed" : ending.kind,
    completedAt: ending.kind === "completed" ? createdAt(options) : null,
    error: ending.kind === "failed" ? { code: ending.code, message: ending.message } : null,
    incompleteDetails: ending.kind === "incomplete" ? { reason: ending.reason } : null,
    output,
    usage: responsesUsage(turn.parts, options)
  }
  const response = responseObject(state, options)
  return labels.length === 0 ? response : { ...response, doom_loop_check: { triggers: labels } }
}

interface ResponseState {
  readonly status: string
  readonly completedAt: number | null
  readonly error: JsonObject | null
  readonly incompleteDetails: JsonObject | null
  readonly output: ReadonlyArray<JsonObject>
  readonly usage: JsonObject | null
}

const createdAt = (options: ResponsesOptions): number => options.created ?? 1234567890

const responseObject = (state: ResponseState, options: ResponsesOptions): JsonObject => {
  const request = isRecord(options.request) ? options.request : {}
  const echoed = (key: string, fallback: unknown): unknown => request[key] ?? fallback
  return {
    id: options.id ?? "resp_mock",
    object: "response",
    created_at: createdAt(options),
    status: state.status,
    background: echoed("background", false),
    completed_at: state.completedAt,
    error: state.error,
    incomplete_details: state.incompleteDetails,
    instructions: echoed("instructions", null),
    max_output_tokens: echoed("max_output_tokens", null),
    max_tool_calls: echoed("max_tool_calls", null),
    metadata: echoed("metadata", {}),
    model: options.model,
    output: state.output,
    parallel_tool_calls: echoed("parallel_tool_calls", true),
    previous_response_id: echoed("previous_response_id", null),
    prompt_cache_key: echoed("prompt_cache_key", null),
    reasoning: merged(request["reasoning"], { effort: null, summary: null }),
    safety_identifier: echoed("safety_identifier", null),
    service_tier: echoed("service_tier", "default"),
    store: echoed("store", true),
    temperature: echoed("temperature", 1),
    text: merged(request["text"], { format: { type: "text" }, verbosity: "medium" }),
    tool_choice: echoed("tool_choice", "auto"),
    tools: echoed("tools", []),
    top_logprobs: echoed("top_logprobs", 0),
    top_p: echoed("top_p", 1),
    truncation: echoed("truncation", "disabled"),
    usage: state.usage,
    user: echoed("user", null),
    access_programs: echoed("access_programs", null)
  }
}

const merged = (value: unknown, defaults: JsonObject): JsonObject =>
  isRecord(value) ? { ...defaults, ...value } : defaults
