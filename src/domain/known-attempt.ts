import type { Conversation } from "./conversation.ts"
import type { Outcome } from "./outcome.ts"

/**
 * Why a request is another try and no new call: how far the try before it had come, or how it had ended.
 *
 * @since 0.1.0
 * @category sessions
 */
export type RetryReason = Exclude<Outcome, "completed"> | "error status" | "still open"

/** A request whose place in its conversation is known. */
export interface KnownAttempt extends Conversation {
  /** 1, or one more than that of the same call before, while that was no success: not completed, or an error status. */
  readonly attempt: number
  /** The number of the request that was the try before, `null` for a first attempt. */
  readonly retryOf: number | null
  /** `null` for a first attempt. */
  readonly because: RetryReason | null
  /**
   * The number of the request that was its first attempt: equal for all attempts of one call, and for no others. The same words
   * asked again after a success are another call.
   */
  readonly first: number
  /**
   * The call of the same words before this one, which counts as answered: the numbers of its first and its last attempt. `null`
   * where there was none.
   */
  readonly repeats: { readonly first: number; readonly last: number } | null
  /** Which of the answers to its call it is due: its attempt, less those before that joined an answer in progress. */
  readonly place: number
  /** To be told that it joined an answer in progress: the try behind it is due what it was. */
  joined(): void
  /** To be told that it was no try: it had no key. The one before is the last again. */
  withdrawn(): void
  /** To be told with which status this attempt was answered. */
  headSent(status: number): void
  /** To be told how the answer of this attempt ended. */
  ended(outcome: Outcome): void
}

/**
 * The place of a request among the tries of its call, in words.
 *
 * @since 0.1.0
 * @category sessions
 */
export const attemptWords = ({
  attempt,
  retryOf,
  because
}: Pick<KnownAttempt, "attempt" | "retryOf" | "because">): string =>
  because === null ? `attempt ${attempt}` : `attempt ${attempt} (a retry of #${retryOf}, which ${endWords[because]})`

const endWords: Readonly<Record<RetryReason, string>> = {
  reset: "ended in reset",
  client_closed: "its client left",
  stalled: "ended in silence",
  server_error: "the server failed to answer",
  "error status": "was answered with an error status",
  "still open": "is still open"
}
