import type { Fragments } from "../fragments.ts"
import type { JsonObject } from "../json.ts"
import type { CallOrder } from "../tool-call.ts"

/**
 * Text of one choice: what the user sees, what the model thought, or a refusal. `logprob` gives the log-probability of a
 * piece when the answer carries them.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChatTextPart extends Fragments {
  readonly kind: "content" | "reasoning" | "refusal"
  readonly logprob: ((piece: string) => number) | null
}

/** @since 0.1.0 @category models */
export interface ChatCall {
  readonly callId: string
  readonly name: string
  readonly arguments: Fragments
}

/**
 * The calls of one choice; their indexes start at 0 and have no gaps.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChatCallsPart {
  readonly kind: "calls"
  readonly tool: "function" | "custom"
  readonly order: CallOrder
  /** Whether a call is announced with all of its arguments. */
  readonly isWhole: boolean
  readonly calls: ReadonlyArray<ChatCall>
}

/** @since 0.1.0 @category models */
export interface ChatAudioPart {
  readonly kind: "audio"
  readonly id: string
  readonly data: Fragments
  readonly transcript: Fragments
  readonly expiresAt: number
}

/** @since 0.1.0 @category models */
export type ChatPart = ChatTextPart | ChatCallsPart | ChatAudioPart

/**
 * One answer: its parts in wire order. Without a finish reason no finish chunk is sent.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChatChoice {
  readonly parts: ReadonlyArray<ChatPart>
  readonly finishReason: string | null
}

/**
 * What one Chat Completions answer says, from which both the chunks and the JSON reply are made. With an error the stream
 * ends there.
 *
 * **Source** wire-formats.md, section 2A
 *
 * @since 0.1.0
 * @category models
 */
export interface ChatTurn {
  readonly choices: ReadonlyArray<ChatChoice>
  readonly order: CallOrder
  readonly error: { readonly body: JsonObject; readonly named: boolean } | null
}
