import { CallSettled } from "../domain/errors.ts"
import type { Copy } from "../serving/copy.ts"
import type { HeldCall } from "./held-call.ts"

/**
 * How far a test has come with a call in its hand. It holds no body: what is answered may be remembered for a while.
 *
 * @since 0.1.0
 * @category calls
 */
export interface HeldState {
  /** The call in words: its number, kind and endpoint. */
  readonly what: string
  /** Where the test asked for it. */
  readonly askedAt: string
  readonly copy: Copy
  /** The method that answered it. */
  answeredBy: string | null
  /** The test writes a stream, and has not ended it. */
  isStreamOpen: boolean
}

/** @since 0.1.0 @category constructors */
export const heldState = (
  { number, kind, endpoint }: Pick<HeldCall, "number" | "kind" | "endpoint">,
  { copy, askedAt }: Pick<HeldState, "copy" | "askedAt">
): HeldState => ({
  what: `call ${number} (${kind} ${endpoint})`,
  askedAt,
  copy,
  answeredBy: null,
  isStreamOpen: false
})

/** The client has left, or the server was closed, before the answer was complete. */
export const isGone = ({ snapshot }: Copy): boolean => snapshot.status === "done" && snapshot.state !== "ended"

/** Throws `CallSettled` where what the test wishes would reach nobody. */
export const checkThere = ({ what, copy }: HeldState, wish: string): void => {
  if (isGone(copy))
    throw new CallSettled(`the client of ${what} has left, or the server was closed; ${wish} reaches nobody`)
}

/** What the test still owes the client, in words; `null` when that is nothing, or the client has left. */
export const owed = ({ what, askedAt, copy, answeredBy, isStreamOpen }: HeldState): string | null => {
  if (isGone(copy)) return null
  if (answeredBy === null) return `${what}, taken at ${askedAt}, was not answered`
  return isStreamOpen ? `${what}, taken at ${askedAt}, was answered by a stream that was not ended` : null
}
