import type { Fragments } from "../fragments.ts"
import type { JsonObject } from "../json.ts"
import type { ResponsesOptions } from "./options.ts"
import type { CorePart, ResponsesPart } from "./turn.ts"

/**
 * The `usage` object of profile full: one token for each piece, unless the options say otherwise.
 *
 * **Source** wire-formats.md, sections 2B.2 and 2B.3
 *
 * @since 0.1.0
 * @category encoding
 */
export const responsesUsage = (parts: ReadonlyArray<ResponsesPart>, options: ResponsesOptions): JsonObject => {
  const reasoning = parts.filter((part) => part.kind === "reasoning")
  const inputTokens = options.usage?.inputTokens ?? 10
  const outputTokens = options.usage?.outputTokens ?? countPieces(parts)
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: options.usage?.cachedTokens ?? 0,
      cache_write_tokens: options.usage?.cacheWriteTokens ?? 0
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: options.usage?.reasoningTokens ?? countPieces(reasoning) },
    total_tokens: inputTokens + outputTokens
  }
}

/**
 * The `usage` object of profile compact: a fixed price for each item, whatever its length.
 *
 * **Source** wire-formats.md, sections 2B.3 to 2B.6
 *
 * @since 0.1.0
 * @category encoding
 */
export const compactUsage = (parts: ReadonlyArray<CorePart>, options: ResponsesOptions): JsonObject => {
  const reasoning = parts.filter((part) => part.kind === "reasoning")
  const inputTokens = options.usage?.inputTokens ?? 10
  const outputTokens = options.usage?.outputTokens ?? sumPrices(parts)
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    input_tokens_details: { cached_tokens: options.usage?.cachedTokens ?? 0 },
    output_tokens_details: { reasoning_tokens: options.usage?.reasoningTokens ?? sumPrices(reasoning) }
  }
}

const compactPrices: Readonly<Record<CorePart["kind"], number>> = {
  message: 5,
  reasoning: 5,
  call: 15,
  customCall: 15
}

const sumPrices = (parts: ReadonlyArray<CorePart>): number =>
  parts.reduce((sum, part) => sum + compactPrices[part.kind], 0)

const countPieces = (parts: ReadonlyArray<ResponsesPart>): number =>
  parts.flatMap(fragmentsOf).reduce((sum, text) => sum + text.pieces.length, 0)

const fragmentsOf = (part: ResponsesPart): ReadonlyArray<Fragments> => {
  switch (part.kind) {
    case "message":
    case "refusal":
      return [part.text]
    case "reasoning":
      return part.content === null ? part.summary : [...part.summary, part.content]
    case "call":
    case "customCall":
      return [part.arguments]
    case "hosted":
      return []
  }
}
