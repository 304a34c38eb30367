import type { RequestKind } from "./classification.ts"
import type { InferenceEndpoint } from "./endpoint.ts"
import type { RequestCondition } from "./request-condition.ts"

/**
 * Which requests an expectation is for: an endpoint (or any of several) and a kind, and conditions if there are any.
 *
 * **Source** inference-server.md, section 3
 *
 * @since 0.1.0
 * @category models
 */
export interface InferenceRequestMatcher {
  readonly endpoint: InferenceEndpoint
  readonly kind: RequestKind
  /** More endpoints that do as well. */
  readonly orEndpoints?: ReadonlyArray<InferenceEndpoint>
  /** All must hold. */
  readonly conditions?: ReadonlyArray<RequestCondition>
}

const matcher = (
  kind: RequestKind,
  endpoints: readonly [InferenceEndpoint, ...ReadonlyArray<InferenceEndpoint>]
): InferenceRequestMatcher => {
  const [endpoint, ...orEndpoints] = endpoints
  return orEndpoints.length === 0 ? { endpoint, kind } : { endpoint, kind, orEndpoints }
}

/** @since 0.1.0 @category constructors */
export const InferenceRequestMatcher = {
  /**
   * Turns of an agent's main loop on this endpoint, or on any of several: requests with a non-empty `x-grok-turn-idx`
   * header, or with none of the grok headers and two tools or more.
   */
  foreground: (
    ...endpoints: readonly [InferenceEndpoint, ...ReadonlyArray<InferenceEndpoint>]
  ): InferenceRequestMatcher => matcher("foreground", endpoints),
  /**
   * Every other model call on this endpoint, or on any of several: no `x-grok-turn-idx`, and a non-empty `x-grok-req-id` or
   * fewer than two tools. What an SDK sends without tools is auxiliary.
   */
  auxiliary: (
    ...endpoints: readonly [InferenceEndpoint, ...ReadonlyArray<InferenceEndpoint>]
  ): InferenceRequestMatcher => matcher("auxiliary", endpoints),
  /** The same matcher with more conditions. */
  where: (base: InferenceRequestMatcher, ...conditions: ReadonlyArray<RequestCondition>): InferenceRequestMatcher => ({
    ...base,
    conditions: [...(base.conditions ?? []), ...conditions]
  })
} as const

/** All endpoints of a matcher, each once. */
export const endpointsOf = ({
  endpoint,
  orEndpoints = []
}: InferenceRequestMatcher): ReadonlyArray<InferenceEndpoint> => [...new Set([endpoint, ...orEndpoints])]
