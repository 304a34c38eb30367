import type { InferenceEndpoint } from "./endpoint.ts"
import { member } from "./json.ts"
import { type Header, plainHeader } from "./request.ts"

/**
 * A turn of the agent's main loop, or any other model call (titles, summaries).
 *
 * @since 0.1.0
 * @category models
 */
export type RequestKind = "foreground" | "auxiliary"

/** The pair that expectations are matched by. */
export interface RequestClass {
  readonly endpoint: InferenceEndpoint
  readonly kind: RequestKind
}

/**
 * Foreground or auxiliary, from two headers and, without them, the number of tools.
 *
 * **Takes** headers in arrival order and the parsed body
 * **Source** inference-server.md, section 3
 *
 * @since 0.1.0
 * @category classification
 */
export const classifyKind = (headers: ReadonlyArray<Header>, body: unknown): RequestKind => {
  if (plainHeader(headers, "x-grok-turn-idx") !== undefined) return "foreground"
  if (requestId(headers) !== undefined) return "auxiliary"
  const tools = member(body, "tools")
  return Array.isArray(tools) && tools.length >= 2 ? "foreground" : "auxiliary"
}

/** The trimmed request id, `undefined` when absent or empty: such requests have no fingerprint. */
export const requestId = (headers: ReadonlyArray<Header>): string | undefined => plainHeader(headers, "x-grok-req-id")
