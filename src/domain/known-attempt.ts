import type { Conversation } from "./conversation.ts"
import type { Outcome } from "./outcome.ts"

/** A request whose place in its conversation is known. */
export interface KnownAttempt extends Conversation {
  /** 1, or one more than that of the same call before, while that was no success: not completed, or an error status. */
  readonly attempt: number
  /** Equal for all attempts of one call. */
  readonly key: string
  /** To be told with which status this attempt was answered. */
  headSent(status: number): void
  /** To be told how the answer of this attempt ended. */
  ended(outcome: Outcome): void
}
