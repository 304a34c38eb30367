import type { JsonObject } from "../json.ts"
import type { ChatOptions } from "./options.ts"
import type { ChatPart, ChatTurn } from "./turn.ts"

/**
 * The `usage` object of profile full: one token for each piece, unless the options say otherwise.
 *
 * **Source** wire-formats.md, section 2A.2
 *
 * @since 0.1.0
 * @category encoding
 */
export const chatUsage = (turn: ChatTurn, options: ChatOptions): JsonObject => {
  const parts = turn.choices.flatMap((choice) => choice.parts)
  const reasoning = parts.filter((part) => part.kind === "reasoning")
  const promptTokens = options.usage?.promptTokens ?? 10
  const completionTokens = options.usage?.completionTokens ?? countPieces(parts)
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: options.usage?.cachedTokens ?? 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: options.usage?.reasoningTokens ?? countPieces(reasoning),
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0
    }
  }
}

/**
 * How many pieces the parts go over the wire in.
 *
 * @since 0.1.0
 * @category encoding
 */
export const countPieces = (parts: ReadonlyArray<ChatPart>): number =>
  parts.reduce((sum, part) => sum + piecesOf(part), 0)

const piecesOf = (part: ChatPart): number => {
  if (part.kind === "audio") return part.data.pieces.length + part.transcript.pieces.length
  if (part.kind !== "calls") return part.pieces.length
  return part.calls.reduce((sum, call) => sum + call.arguments.pieces.length, 0)
}
