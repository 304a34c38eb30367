import type { JsonObject } from "../json.ts"

/**
 * One content block: as it starts, its deltas as JSON text, and as it is in the end. Every piece of text counts as one
 * output token.
 *
 * @since 0.1.0
 * @category models
 */
export interface MessagesBlock {
  readonly start: JsonObject
  readonly deltas: ReadonlyArray<string>
  readonly final: JsonObject
  readonly pieceCount: number
}

/**
 * What one Messages answer says, from which both the events and the JSON reply are made. With an error the stream ends
 * there, its last block open; an error without blocks is the only frame.
 *
 * **Source** wire-formats.md, section 2C
 *
 * @since 0.1.0
 * @category models
 */
export interface MessagesTurn {
  readonly blocks: ReadonlyArray<MessagesBlock>
  readonly stopReason: string
  readonly stopSequence: string | null
  readonly stopDetails: JsonObject | null
  readonly serverToolUse: JsonObject | null
  readonly error: JsonObject | null
}
