import { type Exploration, type ExploreOptions, exploreRuns } from "../explore/explore-runs.ts"
import { type Outcome, thrownOutcome } from "../explore/outcome.ts"
import type { Program } from "../explore/program.ts"
import { type Replayed, replayRun } from "../explore/replay-run.ts"
import { strategies } from "../explore/strategies.ts"
import type { SimKernel } from "../kernel/sim-kernel.ts"
import { OracleViolated } from "../oracles/violation.ts"
import type { StepDetail } from "../report/run-trace.ts"
import type { RunSync } from "../supervisor/lifetime.ts"
import type { CampaignOptions, SimProgram } from "./campaign.ts"
import { begun } from "./program-begun.ts"
import { runWorld } from "./run-world.ts"
import type { WorldOptions } from "./world-options.ts"

/** The last run that was made, for whoever has to tell about it. */
export interface SeenRun {
  readonly kernel: SimKernel
  details(): ReadonlyMap<number, StepDetail>
  /** What it failed with, and the steps at which that showed. */
  readonly error: unknown
  /** Laws that were broken before the program failed by itself, a line each. */
  readonly broken: ReadonlyArray<string>
  readonly failedAt: ReadonlyArray<number>
  /** Whether anything planned could happen next, as on an arbitrarily slow network. */
  readonly isUntimed: boolean
}

/** A program as exploration wants it; `see` is shown every run, which is then observed in all its details. */
export const programOf =
  (
    body: SimProgram,
    options: WorldOptions,
    runSync: RunSync,
    see: ((run: SeenRun) => void) | null = null
  ): Program<Promise<Outcome>> =>
  async (choice, context) => {
    const isTold = see !== null
    const run = await runWorld({ ...options, choice, context, runSync, isTold }, (sim) => begun(body(sim)))
    const { outcome, kernel, failedAt } = run
    const { details, broken } = run.observer
    const { hash } = outcome.stats
    const error = outcome.status === "failed" ? outcome.error : null
    see?.({
      kernel,
      details,
      error,
      broken: error instanceof OracleViolated ? [] : broken(),
      failedAt,
      isUntimed: options.isUntimed ?? false
    })
    return outcome.status === "returned" ? { type: "ok", hash } : { ...thrownOutcome(error), hash }
  }

/**
 * Runs a program under many schedules and faults until one fails, and makes that one small.
 *
 * @since 0.1.0
 * @category exploring
 */
export const exploreWorld = (
  body: SimProgram,
  { strategy = "portfolio", ...options }: CampaignOptions & Pick<ExploreOptions<Outcome>, "onFound" | "isShrinkOver">,
  runSync: RunSync
): Promise<Exploration> =>
  exploreRuns({ ...options, strategy: strategies[strategy](), run: programOf(body, options, runSync) })

/**
 * Makes a run of a program again from its token.
 *
 * **Fails** with `InvalidToken`
 *
 * @since 0.1.0
 * @category replaying
 */
export const replayWorld = async (
  body: SimProgram,
  { token, ...options }: WorldOptions & { readonly token: string },
  runSync: RunSync
): Promise<Replayed & { readonly run: SeenRun | null }> => {
  let seen: SeenRun | null = null
  const run = programOf(body, options, runSync, (one) => {
    seen = one
  })
  const replayed = await replayRun({ run, token })
  return { ...replayed, run: seen }
}
