import type { Splitter } from "../splitters.ts"

/**
 * Token counts that replace the deterministic ones.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChatUsage {
  readonly promptTokens?: number
  readonly completionTokens?: number
  readonly reasoningTokens?: number
  readonly cachedTokens?: number
}

/**
 * The envelope of a Chat Completions answer. Whatever is absent has the deterministic default of wire-formats.md,
 * section 0.
 *
 * `split` cuts text, reasoning and refusals, `splitArguments` cuts arguments; both are `chatExact` by default.
 * `wholeCalls` sends each tool call in one piece, name and arguments together: some clients read no second piece.
 * `includeUsage` is the request's `stream_options.include_usage`. `obfuscation` is padding that every chunk with a choice
 * carries. `finishReason` may be any string.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChatOptions {
  readonly model: string
  readonly id?: string
  readonly created?: number
  readonly includeUsage?: boolean
  readonly usage?: ChatUsage
  readonly split?: Splitter
  readonly splitArguments?: Splitter
  readonly wholeCalls?: boolean
  readonly finishReason?: string
  readonly reasoningKey?: "reasoning_content" | "reasoning"
  readonly obfuscation?: string
  readonly serviceTier?: string
  readonly systemFingerprint?: string
}

/**
 * The key of reasoning text, which the providers that have it spell in two ways.
 *
 * @since 0.1.0
 * @category constructors
 */
export const reasoningKeyOf = (options: ChatOptions): string => options.reasoningKey ?? "reasoning_content"
