import type { Exploration, ExploreOptions } from "../explore/explore-runs.ts"
import type { Outcome } from "../explore/outcome.ts"
import type { StrategyName } from "../explore/strategies.ts"
import type { SimWorld } from "./sim-world.ts"
import type { WorldOptions } from "./world-options.ts"

/** A program under test. What it throws is a failure; what it returns is of no account. */
export type SimProgram = (sim: SimWorld) => unknown

/**
 * How a program is explored: as any other, in a world that is described by `WorldOptions`.
 *
 * @since 0.1.0
 * @category exploring
 */
export interface CampaignOptions extends WorldOptions, Omit<ExploreOptions<Promise<Outcome>>, "run" | "strategy"> {
  /** Default: the portfolio. */
  readonly strategy?: StrategyName
}

/** What a campaign came to, when no run failed. */
export type Campaign = Omit<Exploration, "failure">
