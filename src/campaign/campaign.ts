import type { Exploration, ExploreOptions } from "../explore/explore-runs.ts"
import type { Outcome } from "../explore/outcome.ts"
import type { StrategyName } from "../explore/strategies.ts"
import type { SimWorld } from "./sim-world.ts"
import type { WorldOptions } from "./world-options.ts"

/** A program under test. What it throws is a failure; what it returns is of no account. */
export type SimProgram = (sim: SimWorld) => unknown

/** What the search itself is told by whoever starts it. */
type Inner = "run" | "strategy" | "onFound" | "isShrinkOver"

/**
 * How a program is explored: as any other, in a world that is described by `WorldOptions`.
 *
 * @since 0.1.0
 * @category exploring
 */
export interface CampaignOptions extends WorldOptions, Omit<ExploreOptions<Promise<Outcome>>, Inner> {
  /** Default: the portfolio. */
  readonly strategy?: StrategyName
  /** A budget in milliseconds of real time, in the place of a number of runs. At least one run is made. */
  readonly budgetMs?: number
  /** Asked before every run: ends the exploration when true. At least one run is made. For a budget of time. */
  readonly isOver?: () => boolean
}

/**
 * How a program is explored, and where the trace of a failure goes.
 *
 * @since 0.1.0
 * @category exploring
 */
export interface ExploreWorldOptions extends CampaignOptions {
  /** The file for the trace of a failure, `false` for none. Default: what `SIM_TRACE` in the environment says, else none. */
  readonly trace?: string | false
}

/** What a campaign came to, when no run failed. */
export type Campaign = Omit<Exploration, "failure">
