import { isRecord, member } from "../../domain/json.ts"

/** A method outside the protocol, by its bare name. */
export interface CustomCall {
  readonly method: string
  readonly params: unknown
}

/**
 * The name that a custom method has on the wire: with one underscore before it, also when it was given with one.
 *
 * **Source** agent-harness.md, section 2.1
 *
 * @since 0.1.0
 * @category encoding
 */
export const customMethod = (name: string): string => (name.startsWith("_") ? name : `_${name}`)

/**
 * The bare name and the real parameters of a custom method that came in, in any of its three shapes: bare (`x.ai/foo`), prefixed
 * (`_x.ai/foo`), wrapped (`_x.ai/foo` with parameters that hold a `method` and `params` of their own).
 *
 * **Source** agent-harness.md, section 2.1
 *
 * @since 0.1.0
 * @category encoding
 */
export const customCall = (method: string, params: unknown): CustomCall => {
  if (!method.startsWith("_")) return { method, params }
  const inner = member(params, "method")
  if (typeof inner === "string" && isRecord(params) && Object.hasOwn(params, "params")) {
    return { method: bare(inner), params: member(params, "params") }
  }
  return { method: bare(method), params }
}

const bare = (method: string): string => (method.startsWith("_") ? method.slice(1) : method)
