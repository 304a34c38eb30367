import { forkedChoice, forkListedChoice } from "../kernel/choice-forked.ts"
import type { Draw } from "../kernel/choice-sources.ts"
import { type ReplayDifference, replayDifference } from "./draw-check.ts"
import { type Attempts, drive } from "./drive.ts"
import type { Outcome } from "./outcome.ts"
import { type Program, plainContext } from "./program.ts"
import { decodeToken } from "./replay-token.ts"
import { watchChoice } from "./watched-choice.ts"

/** A run that was made again from its token. */
export interface Replayed {
  readonly outcome: Outcome
  readonly draws: ReadonlyArray<Draw>
  /** Whether it has the hash of the token; `null` when the token or the run has none. */
  readonly isSame: boolean | null
  /** Where it left the run of the token before the last choice of that; `null` when it made all of its choices. */
  readonly difference: ReplayDifference | null
}

/**
 * Makes a run again from its token.
 *
 * **Fails** with `InvalidToken`
 * **Gives** a promise when the program gives promises
 *
 * @since 0.1.0
 * @category replaying
 */
export function replayRun(options: { readonly run: Program<Outcome>; readonly token: string }): Replayed
export function replayRun(options: {
  readonly run: Program<PromiseLike<Outcome>>
  readonly token: string
}): Promise<Replayed>
export function replayRun(options: { readonly run: Program; readonly token: string }): Replayed | Promise<Replayed> {
  return drive(replaying(options))
}

function* replaying({ run, token }: { readonly run: Program; readonly token: string }): Attempts<Replayed> {
  const decoded = decodeToken(token)
  const { seed, lists, hash } = decoded
  const watched = watchChoice(lists === null ? forkedChoice(seed) : forkListedChoice(lists))
  const outcome = yield () => run(watched.choice, plainContext(seed))
  const isSame = hash === null || outcome.hash === undefined ? null : outcome.hash === hash
  return { outcome, draws: watched.draws, isSame, difference: replayDifference(decoded, watched.draws) }
}
