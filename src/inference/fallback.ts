import type { InferenceEndpoint, WireProfile } from "../domain/endpoint.ts"
import { isRecord, member } from "../domain/json.ts"
import { ScriptedResponse } from "../domain/scripted-response.ts"
import { type TextAnswer, textEvents, textReply } from "../wire/text-answer.ts"

/** Echo the last user message, or answer one fixed text. */
export type ResponseMode = { readonly kind: "echo" } | { readonly kind: "fixed"; readonly text: string }

/** What a fallback answer follows besides its request. */
export interface FallbackOptions {
  readonly endpoint: InferenceEndpoint
  readonly profile: WireProfile
  readonly mode: ResponseMode
  readonly stopReason: string
  /** The text of an agent turn, if it is one. */
  readonly turn: string | undefined
}

/**
 * The answer of a response mode or an agent turn, streamed or as one JSON reply.
 *
 * **Takes** the parsed body of the request
 * **Source** inference-server.md, section 7; wire-formats.md, section 2E
 *
 * @since 0.1.0
 * @category builders
 */
export const fallbackResponse = (value: unknown, options: FallbackOptions): ScriptedResponse => {
  const { endpoint, profile, mode, stopReason, turn } = options
  const fixed = turn ?? (mode.kind === "fixed" ? mode.text : undefined)
  const model = member(value, "model")
  const answer: TextAnswer = {
    profile,
    split: fixed === undefined ? "echo" : "exact",
    text: fixed ?? echoText(endpoint, value, profile),
    model: typeof model === "string" ? model : "test-model",
    includeUsage: member(member(value, "stream_options"), "include_usage") === true,
    stopReason,
    request: value
  }
  const streams = profile === "compact" || member(value, "stream") === true
  return streams
    ? ScriptedResponse.sse(textEvents(endpoint, answer))
    : ScriptedResponse.json(200, textReply(endpoint, answer))
}

/** What ends an agent's loop: the turn after its tools have run. */
const doneText = "done"

/** In profile full an agent that has run its tools is told that it is done; an echo would start it over. */
const echoText = (endpoint: InferenceEndpoint, body: unknown, profile: WireProfile): string =>
  profile === "full" && endsWithToolResult(endpoint, body)
    ? doneText
    : `Echo: ${lastUserText(endpoint, body, profile) ?? "hello"}`

const endsWithToolResult = (endpoint: InferenceEndpoint, body: unknown): boolean => {
  const items = member(body, endpoint === "Responses" ? "input" : "messages")
  // Agents put notes of their own behind the results; nobody asks anything in those.
  const last: unknown = Array.isArray(items) ? items.findLast((item) => !isNote(item)) : undefined
  if (endpoint === "ChatCompletions") return member(last, "role") === "tool"
  if (endpoint === "Responses") return /_output$/.test(String(member(last, "type") ?? ""))
  const content = member(last, "content")
  const isOf = (type: string) => (part: unknown) => member(part, "type") === type
  return Array.isArray(content) && content.some(isOf("tool_result")) && !content.some(isOf("text"))
}

const isNote = (item: unknown): boolean => {
  const role = member(item, "role")
  return role === "system" || role === "developer"
}

/** The text of the last user element, `undefined` where there is none of an accepted kind. */
const lastUserText = (endpoint: InferenceEndpoint, body: unknown, profile: WireProfile): string | undefined => {
  if (endpoint === "Responses") {
    const input = member(body, "input")
    if (profile === "full" && typeof input === "string") return input
    return contentText(lastUserContent(input), "input_text")
  }
  const content = lastUserContent(member(body, "messages"))
  if (endpoint === "ChatCompletions" && profile === "compact") return typeof content === "string" ? content : undefined
  return contentText(content, "text")
}

const lastUserContent = (items: unknown): unknown =>
  Array.isArray(items)
    ? member(
        items.findLast((item) => member(item, "role") === "user"),
        "content"
      )
    : undefined

const contentText = (content: unknown, partType: string): string | undefined => {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return undefined
  const part: unknown = content.find(
    (item) => isRecord(item) && item["type"] === partType && typeof item["text"] === "string"
  )
  const text = member(part, "text")
  return typeof text === "string" ? text : undefined
}
