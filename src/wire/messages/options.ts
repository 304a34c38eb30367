import type { Splitter } from "../splitters.ts"

/**
 * Token counts that replace the deterministic ones; `startOutputTokens` is what `message_start` reports.
 *
 * @since 0.1.0
 * @category models
 */
export interface MessagesUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly startOutputTokens?: number
  readonly cacheCreationTokens?: number
  readonly cacheReadTokens?: number
}

/**
 * The envelope of a Messages answer. Whatever is absent has the deterministic default of wire-formats.md, section 0.
 *
 * `split` cuts text and thoughts, `splitArguments` cuts tool input; both are `responsesExact` by default. `stopReason` may
 * be any string. `request` is the parsed request body: a request for omitted thinking gets thoughts without text.
 *
 * @since 0.1.0
 * @category models
 */
export interface MessagesOptions {
  readonly model: string
  readonly id?: string
  readonly usage?: MessagesUsage
  readonly split?: Splitter
  readonly splitArguments?: Splitter
  readonly stopReason?: string
  readonly request?: unknown
}
