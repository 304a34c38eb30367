import { type AnyGoal, type GoalBook, watchGoals } from "../oracles/goals.ts"
import type { Oracle } from "../oracles/monitor.ts"
import { type ReadyOptions, readyOracles } from "../oracles/ready-oracles.ts"
import type { SeenEvent } from "../oracles/run-event.ts"
import type { Violation } from "../oracles/violation.ts"
import { type WatchOptions, watchRun } from "../oracles/watch-run.ts"
import { type HeldKind, heldKinds } from "../sim/held-things.ts"

/**
 * What each run of a campaign is judged by, beside what its program asserts: the laws that hold for every client and server,
 * those that the test adds, and situations that some run must reach. `{}` is all ready laws as they are.
 *
 * @since 0.1.0
 * @category oracles
 */
export interface JudgeOptions extends ReadyOptions, WatchOptions {
  /** Laws of the test's own. */
  readonly oracles?: ReadonlyArray<Oracle>
  /** Whether only `oracles` count. Default false. */
  readonly isBare?: boolean
  readonly goals?: ReadonlyArray<AnyGoal>
  /**
   * What code of the run may not leave behind: all kinds, or these. Default: requests, intervals, and fibers that were detached.
   * Well-behaved clients keep connections open and let servers go with the run.
   */
  readonly resources?: "all" | ReadonlyArray<HeldKind>
}

/** What nobody leaves behind who means well. */
const heldDefault: ReadonlyArray<HeldKind> = ["request", "interval", "detached-fiber"]

/** Which kinds of things a run is judged by. */
export const judgedKinds = ({ resources = heldDefault }: JudgeOptions): ReadonlyArray<HeldKind> =>
  resources === "all" ? heldKinds : resources

/** Judges one run while it happens. */
export interface Judge {
  see(event: SeenEvent): void
  /** What was found so far. */
  violations(): ReadonlyArray<Violation>
  /** The run is over, at this virtual time. */
  end(at: number): ReadonlyArray<Violation>
}

/** @since 0.1.0 @category constructors */
export const makeJudge = (options: JudgeOptions, book: GoalBook): Judge => {
  const { oracles = [], isBare = false, goals = [] } = options
  const run = watchRun([...(isBare ? [] : readyOracles(options)), ...oracles], options)
  const reached = watchGoals(goals, book)
  const see = (event: SeenEvent): void => {
    run.see(event)
    reached.see(event)
  }
  return {
    see,
    violations: run.violations,
    end(at) {
      run.passTo(at)
      see({ type: "run.ended", actor: "test", at })
      return run.violations()
    }
  }
}
