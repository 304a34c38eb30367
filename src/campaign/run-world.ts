import type { ScheduleChoice } from "../kernel/sim-kernel.ts"
import { runSim, type SimContext, type SimRun } from "../sim/sim-run.ts"
import type { RunSync } from "../supervisor/lifetime.ts"
import { simWorld } from "./make-sim-world.ts"
import { type ObservedRun, observeRun } from "./observe-run.ts"
import type { SimWorld } from "./sim-world.ts"
import type { WorldOptions } from "./world-options.ts"

/** A run that is over and judged. */
export interface WorldRun<A> extends SimRun<A, ObservedRun> {
  /** The steps at which its failure showed. */
  readonly failedAt: ReadonlyArray<number>
}

/**
 * Runs a program in a simulated world with our servers, and judges the run. What the program throws counts before what judges
 * find.
 *
 * @since 0.1.0
 * @category simulation
 */
export const runWorld = async <A>(
  options: WorldOptions & {
    readonly choice: ScheduleChoice
    readonly context: SimContext
    readonly runSync: RunSync
    /** Whether somebody will tell of the run, and wants all that can be known of its steps. */
    readonly isTold?: boolean
  },
  body: (sim: SimWorld) => A | PromiseLike<A>
): Promise<WorldRun<A>> => {
  const { judge, runSync, context, isTold, ...world } = options
  const run = await runSim(
    {
      ...world,
      context,
      observe: (kernel) => observeRun(kernel, { context, judge, isTold }),
      extend: (sim, parts, observer) => simWorld(sim, { ...parts, observer, runSync, isTold })
    },
    body
  )
  const { outcome, observer } = run
  if (outcome.status === "failed") return { ...run, failedAt: [outcome.step] }
  const judged = observer.judge()
  if (judged === null) return { ...run, failedAt: [] }
  const { error, failedAt } = judged
  return { ...run, failedAt, outcome: { status: "failed", error, step: failedAt[0] ?? 0, stats: outcome.stats } }
}
