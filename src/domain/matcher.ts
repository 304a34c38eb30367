import type { RequestClass } from "./classification.ts"
import type { InferenceEndpoint } from "./endpoint.ts"

/**
 * Which requests an expectation is for: one endpoint and one kind, nothing else.
 *
 * **Source** inference-server.md, section 3
 *
 * @since 0.1.0
 * @category models
 */
export type InferenceRequestMatcher = RequestClass

/** @since 0.1.0 @category constructors */
export const InferenceRequestMatcher = {
  /** Turns of an agent's main loop on this endpoint. */
  foreground: (endpoint: InferenceEndpoint): InferenceRequestMatcher => ({ endpoint, kind: "foreground" }),
  /** Every other model call on this endpoint. */
  auxiliary: (endpoint: InferenceEndpoint): InferenceRequestMatcher => ({ endpoint, kind: "auxiliary" })
} as const
