import { describe, isRecord, member } from "../../domain/json.ts"
import { memberToken } from "./member-token.ts"

/** An error of JSON-RPC as the other side sent it. */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data: unknown
}

/** What a response says: one of `result` and `error`, or something else that it may not. */
export type RpcOutcome =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly error: RpcError }
  | { readonly kind: "broken"; readonly reason: string }

/**
 * What a line of an agent is. `faults` says what it breaks of JSON-RPC and is understood in spite of.
 *
 * @since 0.1.0
 * @category models
 */
export type LineContent =
  | { readonly kind: "blank" }
  /** Not JSON, or JSON that is no object. */
  | { readonly kind: "pollution"; readonly reason: string }
  | { readonly kind: "batch" }
  /** An object that has neither a method nor an id. */
  | { readonly kind: "stray"; readonly faults: ReadonlyArray<string> }
  | {
      readonly kind: "request"
      /** The id as it was written. */
      readonly idToken: string
      /** `null` when it is no string. */
      readonly method: string | null
      readonly params: unknown
      readonly faults: ReadonlyArray<string>
    }
  | {
      readonly kind: "notification"
      readonly method: string
      readonly params: unknown
      readonly faults: ReadonlyArray<string>
    }
  | {
      readonly kind: "response"
      readonly id: unknown
      readonly outcome: RpcOutcome
      readonly faults: ReadonlyArray<string>
    }

/**
 * Says what a line is.
 *
 * **Takes** the text of a line, without its terminator
 * **Fails** never
 * **Source** agent-harness.md, section 2.7
 *
 * @since 0.1.0
 * @category encoding
 */
export const lineContent = (text: string): LineContent => {
  if (text.trim() === "") return { kind: "blank" }
  const [, first] = noJson.exec(text) ?? []
  if (first !== undefined) return { kind: "pollution", reason: `not JSON: it begins with ${JSON.stringify(first)}` }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { kind: "pollution", reason: error instanceof Error ? error.message : "not JSON" }
  }
  if (Array.isArray(value)) return { kind: "batch" }
  if (!isRecord(value)) return { kind: "pollution", reason: `JSON, but no object: ${describe(value)}` }
  return messageOf(text, value)
}

/** What no JSON begins with. Told without trying: an agent may write a million such lines. */
const noJson = /^[ \t\r\n]*([^ \t\r\n{["\-0-9tfn])/

const messageOf = (text: string, value: Readonly<Record<string, unknown>>): LineContent => {
  const faults: Array<string> = []
  const version = member(value, "jsonrpc")
  if (version !== "2.0") faults.push(`jsonrpc is ${version === undefined ? "missing" : describe(version)}, not "2.0"`)
  const hasMethod = Object.hasOwn(value, "method")
  const method = member(value, "method")
  const params = member(value, "params")
  if (hasMethod && typeof method !== "string") faults.push(`method is ${describe(method)}, no string`)
  if (!Object.hasOwn(value, "id")) {
    return typeof method === "string" ? { kind: "notification", method, params, faults } : { kind: "stray", faults }
  }
  if (hasMethod) {
    const idToken = memberToken(text, "id") ?? "null"
    return { kind: "request", idToken, method: typeof method === "string" ? method : null, params, faults }
  }
  return { kind: "response", id: member(value, "id"), outcome: outcomeOf(value), faults }
}

const outcomeOf = (value: Readonly<Record<string, unknown>>): RpcOutcome => {
  const hasResult = Object.hasOwn(value, "result")
  const hasError = Object.hasOwn(value, "error")
  if (hasResult && hasError) return { kind: "broken", reason: "a response with both result and error" }
  if (hasResult) return { kind: "result", result: member(value, "result") }
  if (!hasError) return { kind: "broken", reason: "a response with neither result nor error" }
  const error = member(value, "error")
  const code = member(error, "code")
  const message = member(error, "message")
  if (typeof code !== "number" || typeof message !== "string") {
    return { kind: "broken", reason: `a response with the error ${describe(error)}, which has no code and message` }
  }
  return { kind: "error", error: { code, message, data: member(error, "data") } }
}

/**
 * Whether a line is the response to the string id `id`, echoed unchanged: an object without a key `method`.
 *
 * **Source** agent-harness.md, section 3.3
 *
 * @since 0.1.0
 * @category guards
 */
export const isResponseTo = (content: LineContent, id: string): boolean =>
  content.kind === "response" && content.id === id
