import type { CampaignOptions } from "./campaign.ts"

/** How a simulated test runs. */
export interface SimTestOptions extends CampaignOptions {
  /**
   * Where failing choices are kept: a path, or `false` for nowhere. Default: `__sim__/NAME.json` beside the test file. With `CI` in
   * the environment nothing is written.
   */
  readonly corpus?: string | false
  /** A budget in milliseconds of real time, in the place of a number of runs. */
  readonly budgetMs?: number
  /** Guard against hanging. Default 120,000. */
  readonly timeoutMs?: number
}
