import type { CampaignOptions } from "./campaign.ts"

/** How a simulated test runs. */
export interface SimTestOptions extends CampaignOptions {
  /**
   * Where failing choices are kept: a path, or `false` for nowhere. Default: `__sim__/NAME.json` beside the test file. With `CI` in
   * the environment nothing is written.
   */
  readonly corpus?: string | false
  /**
   * The file for the trace of a failure, `false` for none. Default: what `SIM_TRACE` in the environment says, a file or a folder,
   * else a file beside `corpus`; with `CI` in the environment none.
   */
  readonly trace?: string | false
  /**
   * By when the test is over, in milliseconds of real time, shrinking included: it fails when it has not made its runs by then.
   * Default 120,000.
   */
  readonly timeoutMs?: number
}
