import type { WireProfile } from "../../../domain/endpoint.ts"

/**
 * What a provider's answer depends on besides the turn: `includeUsage` is the request's `stream_options.include_usage`
 * (chat), `request` the parsed request body.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProviderTerms {
  readonly model: string
  readonly profile: WireProfile
  readonly includeUsage: boolean
  readonly request: unknown
}
