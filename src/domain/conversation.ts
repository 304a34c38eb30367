import { createHash } from "node:crypto"
import type { RequestClass } from "./classification.ts"
import { callDigest } from "./fingerprint.ts"
import { type JsonBody, member } from "./json.ts"
import { type Header, plainHeader } from "./request.ts"
import { isSecretHeader } from "./secret-header.ts"

/**
 * How the sessions and calls of clients are told apart.
 *
 * @since 0.1.0
 * @category sessions
 */
export interface ConversationRules {
  /** A header that names the session; asked before all others. */
  readonly sessionHeader?: string
  /** A header that names the call within its session: two requests with the same value are attempts of one call. */
  readonly idempotencyHeader?: string
}

/**
 * The same, and what a retry may take.
 *
 * @since 0.1.0
 * @category sessions
 */
export interface SessionRules extends ConversationRules {
  /**
   * `own`, the default: a retry takes only what was scripted for its own call, no entry of a queue, no agent turn and no
   * expectation for another. `any`: it takes what comes next, as any other request does.
   */
  readonly retries?: "own" | "any"
}

/** Which rule gave a value; written in the trace. */
export type SessionRule =
  | "configured header"
  | "x-grok-session-id"
  | "session-id"
  | "prompt_cache_key"
  | "bearer"
  | "first user message"
  | "none"

/** Who asks, and which call it is. The attempt is counted by the server. */
export interface Conversation {
  readonly session: string
  readonly sessionRule: SessionRule
  /** The number of user messages in the body. */
  readonly turn: number
  /** Equal for all attempts of one call within a session: its idempotency key, or a digest of kind, request id and body. */
  readonly call: string
  readonly callRule: "idempotency header" | "fingerprint"
}

const idempotencyHeaderDefault = "idempotency-key"

/**
 * Finds session, turn and call of a request.
 *
 * **Takes** class, headers in arrival order, the JSON body
 * **Gives** the first of: configured header, `x-grok-session-id`, `session-id`, `prompt_cache_key`, bearer, hash of the
 * first user message; a request with none of them is in session `""`
 *
 * @since 0.1.0
 * @category sessions
 */
export const identify = (
  request: RequestClass & { readonly headers: ReadonlyArray<Header>; readonly body: JsonBody },
  rules: ConversationRules = {}
): Conversation => {
  const { headers, body } = request
  const idempotency = plainHeader(headers, (rules.idempotencyHeader ?? idempotencyHeaderDefault).toLowerCase())
  return {
    ...sessionOf(headers, body.value, rules),
    turn: userContents(body.value).length,
    call: idempotency ?? callDigest(request, headers, body.text),
    callRule: idempotency === undefined ? "fingerprint" : "idempotency header"
  }
}

const sessionOf = (
  headers: ReadonlyArray<Header>,
  body: unknown,
  rules: ConversationRules
): Pick<Conversation, "session" | "sessionRule"> => {
  const candidates: ReadonlyArray<readonly [SessionRule, () => string | undefined]> = [
    ["configured header", () => (rules.sessionHeader === undefined ? undefined : named(headers, rules.sessionHeader))],
    ["x-grok-session-id", () => plainHeader(headers, "x-grok-session-id")],
    ["session-id", () => plainHeader(headers, "session-id")],
    ["prompt_cache_key", () => nonEmptyText(member(body, "prompt_cache_key"))],
    ["bearer", () => bearerOf(headers)],
    ["first user message", () => firstMessageDigest(body)]
  ]
  for (const [sessionRule, find] of candidates) {
    const session = find()
    if (session !== undefined) return { session, sessionRule }
  }
  return { session: "", sessionRule: "none" }
}

const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

/** As it stands in the header; of a key a digest, so that none stands in a trace. */
const named = (headers: ReadonlyArray<Header>, header: string): string | undefined => {
  const value = plainHeader(headers, header.toLowerCase())
  return value !== undefined && isSecretHeader(header) ? digest(value).slice(0, sessionDigits) : value
}

/** A digest of the token, for the same reason. */
const bearerOf = (headers: ReadonlyArray<Header>): string | undefined => {
  const token = /^bearer +(\S+)$/i.exec(plainHeader(headers, "authorization") ?? "")?.[1]
  return token === undefined ? undefined : digest(token).slice(0, sessionDigits)
}

const sessionDigits = 16

const firstMessageDigest = (body: unknown): string | undefined => {
  const [first] = userContents(body)
  return first === undefined ? undefined : digest(JSON.stringify(first)).slice(0, sessionDigits)
}

/**
 * The contents of the user messages of a body, in order; a plain text `input` is one. Messages that only carry tool
 * results are no user messages, for every tool round of a turn would count.
 */
const userContents = (body: unknown): ReadonlyArray<unknown> => {
  const input = member(body, "input")
  if (typeof input === "string") return [input]
  const items = Array.isArray(input) ? input : member(body, "messages")
  if (!Array.isArray(items)) return []
  return items
    .filter((item) => member(item, "role") === "user")
    .map((item) => member(item, "content") ?? null)
    .filter((content) => !isOnlyToolResults(content))
}

const isOnlyToolResults = (content: unknown): boolean =>
  Array.isArray(content) && content.length > 0 && content.every((part) => member(part, "type") === "tool_result")

const digest = (text: string): string => createHash("sha256").update(text).digest("hex")
