import type { Splitter } from "../splitters.ts"

/**
 * Token counts that replace the deterministic ones.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResponsesUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly reasoningTokens?: number
  readonly cachedTokens?: number
  readonly cacheWriteTokens?: number
}

/**
 * The envelope of a Responses answer. Whatever is absent has the deterministic default of wire-formats.md, section 0.
 *
 * `request` is the parsed request body, whose values are echoed in the response object. `split` cuts text, reasoning and
 * refusals, `splitArguments` cuts arguments and code; both are `responsesExact` by default. `itemId` names the items of
 * profile full. `obfuscation` is padding that every delta event carries; `doneMarker` adds the `[DONE]` which the real
 * service does not send.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResponsesOptions {
  readonly model: string
  readonly id?: string
  readonly created?: number
  readonly request?: unknown
  readonly usage?: ResponsesUsage
  readonly split?: Splitter
  readonly splitArguments?: Splitter
  readonly itemId?: (prefix: string, outputIndex: number) => string
  readonly obfuscation?: string
  readonly doneMarker?: boolean
}

/**
 * The id of the item at `outputIndex`; `prefix` says what it is (`msg`, `rs`, `fc`, ...).
 *
 * @since 0.1.0
 * @category constructors
 */
export const itemIdOf = (prefix: string, outputIndex: number, options: ResponsesOptions): string =>
  options.itemId === undefined ? `${prefix}_mock_${outputIndex}` : options.itemId(prefix, outputIndex)
