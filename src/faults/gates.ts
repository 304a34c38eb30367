import type { InferenceEndpoint } from "../domain/endpoint.ts"
import { firstHeader, type RequestHead } from "../domain/request.ts"
import type { FaultFormat } from "./catalogue/voice.ts"
import type { RejectReason } from "./fault-event.ts"

/** What a request target leads to: its path, the format of the route, and the lane in the path. */
export interface FaultTarget {
  readonly path: string
  readonly format: FaultFormat | null
  readonly pathKey: string | null
}

/** What a request that fails a gate is answered with. */
export interface Rejection {
  readonly reason: RejectReason
  readonly status: number
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** `null` for an empty body. */
  readonly error: { readonly message: string; readonly code: string } | null
}

const suffixes: ReadonlyArray<readonly [suffix: string, format: FaultFormat]> = [
  ["/chat/completions", "chat"],
  ["/responses", "responses"],
  ["/messages", "messages"]
]

/** The endpoint whose rules a format follows. */
export const endpointOf: Readonly<Record<FaultFormat, InferenceEndpoint>> = {
  chat: "ChatCompletions",
  responses: "Responses",
  messages: "Messages"
}

/** The format of an endpoint. */
export const formatOf: Readonly<Record<InferenceEndpoint, FaultFormat>> = {
  ChatCompletions: "chat",
  Responses: "responses",
  Messages: "messages"
}

/**
 * Reads a request target as a URL path: query and fragment are ignored, dot segments resolved, percent-encoding kept.
 *
 * **Gives** `format: null` for what is no route
 * **Source** fault-server.md, sections 3.2, 9.1.1 and 9.4
 *
 * @since 0.1.0
 * @category routing
 */
export const readTarget = (target: string, formats: ReadonlyArray<FaultFormat>): FaultTarget => {
  const path = pathOf(target)
  if (path === null) return { path: harmless(target), format: null, pathKey: null }
  const format = suffixes.find(([suffix]) => path.endsWith(suffix))?.[1] ?? null
  return {
    path,
    format: format !== null && formats.includes(format) ? format : null,
    pathKey: pathKeyOf(path)
  }
}

/** A target that cannot be read, as it may be told: without query, fragment and what may be a password. */
const harmless = (target: string): string => {
  const [path = ""] = target.split(/[?#]/)
  if (!target.includes("@")) return path
  return path.includes("@") ? path.slice(path.lastIndexOf("@") + 1) : ""
}

const pathOf = (target: string): string | null => {
  try {
    return new URL(target, "http://localhost").pathname
  } catch {
    return null
  }
}

const pathKeyOf = (path: string): string | null => {
  const segment = /^\/lanes\/([^/]+)\//.exec(path)?.[1]
  if (segment === undefined) return null
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * The gates before the body: method, route, authorization, in this order.
 *
 * **Gives** the answer of the first that fails, or `null`
 * **Source** fault-server.md, section 3.2
 *
 * @since 0.1.0
 * @category guards
 */
export const checkHead = (head: RequestHead, target: FaultTarget, apiKey: string | null): Rejection | null => {
  if (head.method !== "POST") return { reason: "method", status: 405, headers: [["allow", "POST"]], error: null }
  if (target.format === null) return { reason: "route", status: 404, headers: [], error: null }
  if (apiKey === null || isAuthorized(head, target.format, apiKey)) return null
  return reject("auth", 401, { message: "invalid mock bearer token", code: "invalid_api_key" })
}

const isAuthorized = (head: RequestHead, format: FaultFormat, apiKey: string): boolean =>
  firstHeader(head.headers, "authorization") === `Bearer ${apiKey}` ||
  (format === "messages" && firstHeader(head.headers, "x-api-key") === apiKey)

/** An answer with an error in its body. */
export const reject = (
  reason: RejectReason,
  status: number,
  error: { readonly message: string; readonly code: string }
): Rejection => ({ reason, status, headers: [], error })

/** The rejections of bodies and lanes. */
export const rejections = {
  json: reject("json", 400, { message: "request body must be valid JSON", code: "invalid_json" }),
  tooLarge: reject("too_large", 413, { message: "request body too large", code: "body_too_large" }),
  unknownLane: (lane: string): Rejection =>
    reject("unknown_lane", 421, { message: `no script for lane ${JSON.stringify(lane)}`, code: "unknown_lane" })
} as const

/** What came of reading a body: its value, `undefined` for an empty one, and its text. */
export type BodyReading = { readonly text: string; readonly value: unknown } | null

/** Not fatal: what is no UTF-8 becomes U+FFFD. A byte-order mark stays and is no JSON. */
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

/** `null` for what is not JSON. */
export const readBody = (bytes: Uint8Array): BodyReading => {
  if (bytes.byteLength === 0) return { text: "", value: undefined }
  const text = utf8.decode(bytes)
  try {
    return { text, value: JSON.parse(text) }
  } catch {
    return null
  }
}
