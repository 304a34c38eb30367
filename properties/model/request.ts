import type { RequestClass, RequestKind } from "../../src/domain/classification.ts"
import type { InferenceEndpoint, WireProfile } from "../../src/domain/endpoint.ts"
import type { Header } from "../../src/domain/request.ts"
import { type RequestSpec, requiredKey } from "./command.ts"

/** A request as a client sends it. */
export interface SentRequest {
  readonly method: string
  readonly target: string
  readonly headers: ReadonlyArray<Header>
  readonly body: string
}

const paths: Readonly<Record<InferenceEndpoint, string>> = {
  ChatCompletions: "/chat/completions",
  Responses: "/responses",
  Messages: "/messages"
}

/** The path under which log and queues know an endpoint. */
export const pathOf = (endpoint: InferenceEndpoint): string => `/v1${paths[endpoint]}`

const hasId = ({ headers }: RequestSpec): boolean => headers === "id" || headers === "both"

const hasTurn = ({ headers }: RequestSpec): boolean => headers === "turn" || headers === "both"

/** Endpoint and kind, as the model sees them. */
export const classOf = (request: RequestSpec): RequestClass => ({ endpoint: request.endpoint, kind: kindOf(request) })

const kindOf = (request: RequestSpec): RequestKind => {
  if (hasTurn(request)) return "foreground"
  if (hasId(request)) return "auxiliary"
  return request.tools >= 2 ? "foreground" : "auxiliary"
}

/** What makes two requests of the domain the same call; `null` for those that never are. */
export const fingerprintOf = (request: RequestSpec): string | null => {
  if (!hasId(request)) return null
  const { endpoint, id, body, tools, streams } = request
  return [endpoint, kindOf(request), id, body, `${tools} tools`, streams ? "streamed" : "whole"].join(" ")
}

/** Whether a request carries the required key. */
export const carriesKey = ({ key }: RequestSpec, profile: WireProfile): boolean =>
  key === "bearer" || key === "lower" || (key === "x-api-key" && profile === "full")

/** The text that the echo mode answers. */
export const echoOf = ({ endpoint, body }: RequestSpec, profile: WireProfile): string => {
  // In profile full an agent that has run its tools is told so: an echo would start it over.
  if (body === "toolResult" && profile === "full") return "done"
  // The tool result of the Messages API is itself a user message, and one without text.
  return endpoint === "Messages" && body === "toolResult" ? "Echo: hello" : "Echo: ping  pong"
}

/**
 * What goes on the wire for a generated request.
 *
 * @since 0.1.0
 * @category encoding
 */
export const sentRequest = (request: RequestSpec): SentRequest => ({
  method: "POST",
  target: isRespelled(request, 2) ? `${paths[request.endpoint]}?beta=true` : pathOf(request.endpoint),
  headers: headersOf(request),
  body: bodyOf(request)
})

const isRespelled = ({ spelling }: RequestSpec, bit: number): boolean => (spelling & bit) !== 0

const headersOf = (request: RequestSpec): ReadonlyArray<Header> => {
  const { headers, id } = request
  const sent: Array<Header> = [["content-type", "application/json"]]
  if (headers === "empty") sent.push(["x-grok-req-id", ""], ["x-grok-turn-idx", ""])
  if (hasTurn(request)) sent.push(["x-grok-turn-idx", isRespelled(request, 4) ? "2" : "0"])
  if (hasId(request)) sent.push(["x-grok-req-id", isRespelled(request, 2) ? ` ${id}\t` : id])
  return [...sent, ...keyHeaders(request)]
}

const keyHeaders = ({ key }: RequestSpec): ReadonlyArray<Header> => {
  switch (key) {
    case "none":
      return []
    case "bearer":
      return [["authorization", `Bearer ${requiredKey}`]]
    case "lower":
      return [["authorization", `bearer ${requiredKey}`]]
    case "x-api-key":
      return [["x-api-key", requiredKey]]
    case "wrong":
      return [["authorization", `Bearer  ${requiredKey}`]]
  }
}

type Members = ReadonlyArray<readonly [name: string, value: unknown]>

const bodyOf = (request: RequestSpec): string => {
  const { tools, streams } = request
  const members: Members = [
    ["model", "test-model"],
    ...conversation[request.endpoint](request.body === "toolResult"),
    ...(tools > 0 ? [["tools", Array.from({ length: tools }, (_, n) => toolOf(n))] as const] : []),
    ...(streams ? [["stream", true] as const] : [])
  ]
  const isOther = isRespelled(request, 1)
  return JSON.stringify(Object.fromEntries(isOther ? members.toReversed() : members), null, isOther ? 1 : 0)
}

const conversation: Readonly<Record<InferenceEndpoint, (hasToolResult: boolean) => Members>> = {
  ChatCompletions: (hasToolResult) => [
    ["messages", [userMessage, ...(hasToolResult ? [{ role: "tool", tool_call_id: "call_1", content: "done" }] : [])]]
  ],
  Responses: (hasToolResult) => [
    [
      "input",
      [userMessage, ...(hasToolResult ? [{ type: "function_call_output", call_id: "call_1", output: "done" }] : [])]
    ]
  ],
  Messages: (hasToolResult) => [
    ["max_tokens", 100],
    [
      "messages",
      [
        userMessage,
        ...(hasToolResult
          ? [{ role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "done" }] }]
          : [])
      ]
    ]
  ]
}

const userMessage = { role: "user", content: "ping  pong" }

const toolOf = (n: number): Readonly<Record<string, unknown>> => ({ type: "function", name: `tool_${n}` })
