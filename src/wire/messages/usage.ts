import type { JsonObject } from "../json.ts"
import type { MessagesOptions } from "./options.ts"
import type { MessagesTurn } from "./turn.ts"

/**
 * The `usage` object of a message in profile full.
 *
 * **Source** wire-formats.md, section 2C.2
 *
 * @since 0.1.0
 * @category encoding
 */
export const messageUsage = (
  { usage }: MessagesOptions,
  { outputTokens, serverToolUse }: { readonly outputTokens: number; readonly serverToolUse: JsonObject | null }
): JsonObject => ({
  input_tokens: usage?.inputTokens ?? 10,
  cache_creation_input_tokens: usage?.cacheCreationTokens ?? 0,
  cache_read_input_tokens: usage?.cacheReadTokens ?? 0,
  cache_creation: { ephemeral_5m_input_tokens: usage?.cacheCreationTokens ?? 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: outputTokens,
  output_tokens_details: null,
  server_tool_use: serverToolUse,
  service_tier: "standard",
  inference_geo: null,
  speed: null
})

/**
 * The cumulative totals of `message_delta`, which replace those of `message_start`.
 *
 * **Source** wire-formats.md, section 2C.2
 *
 * @since 0.1.0
 * @category encoding
 */
export const deltaUsage = (turn: MessagesTurn, options: MessagesOptions): JsonObject => ({
  input_tokens: options.usage?.inputTokens ?? 10,
  cache_creation_input_tokens: options.usage?.cacheCreationTokens ?? 0,
  cache_read_input_tokens: options.usage?.cacheReadTokens ?? 0,
  output_tokens: totalOutputTokens(turn, options),
  output_tokens_details: null,
  server_tool_use: turn.serverToolUse
})

/**
 * One token for each piece, unless the options say otherwise.
 *
 * @since 0.1.0
 * @category encoding
 */
export const totalOutputTokens = (turn: MessagesTurn, { usage }: MessagesOptions): number =>
  usage?.outputTokens ?? turn.blocks.reduce((sum, block) => sum + block.pieceCount, 0)
