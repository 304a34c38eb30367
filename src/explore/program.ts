import type { ScheduleChoice } from "../kernel/sim-kernel.ts"
import type { Outcome } from "./outcome.ts"

/** What a program is told of its run, and may say of it. */
export interface RunContext {
  /** The seed of all that is no choice, such as ids: the same in every run of an exploration. */
  readonly seed: number
  /** Says what was reached: a machine, its state and an event. Runs that reach something new are tried further. */
  cover(tuple: string): void
  /** Names a situation that some run must reach, and says whether this one has. */
  sometimes(goal: string, holds?: boolean): void
  /** Gives what the state of the program is, with all that is under way, for searches that do not search a state twice. */
  stateOf(state: () => string): void
}

/**
 * A program under test: everything that it leaves to chance it draws from the choice source, and so the same answers give the
 * same run. What it throws is a failure.
 *
 * @since 0.1.0
 * @category exploring
 */
export type Program<R extends Outcome | PromiseLike<Outcome> = Outcome | PromiseLike<Outcome>> = (
  choice: ScheduleChoice,
  context: RunContext
) => R

/** The context of a run that is made for its own sake, and not to learn what it reaches. */
export const plainContext = (seed: number): RunContext => ({ seed, cover() {}, sometimes() {}, stateOf() {} })
