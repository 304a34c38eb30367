import type { SimOptions } from "../sim/sim.ts"
import type { JudgeOptions } from "./judge.ts"

/**
 * What a simulated world is like, and what its runs are judged by.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface WorldOptions extends SimOptions {
  /** Laws that every run must keep, whatever its program asserts. Default: none. */
  readonly judge?: JudgeOptions
}
