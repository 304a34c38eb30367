import type { Choice } from "../kernel/choice.ts"
import type { SimOptions } from "../sim/sim.ts"
import type { ChoiceData } from "./choice-data.ts"
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

/**
 * What a single run leaves open is answered from: a seed, from which ids follow too, or a source of choices or choices as data,
 * such as `arbitraries.choices()` generates; the seed of ids is 0 then. Without either the run is calm.
 *
 * @since 0.1.0
 * @category simulation
 */
export type RunChoices =
  | { readonly seed?: number; readonly choice?: never }
  | { readonly choice: Choice | ChoiceData; readonly seed?: never }
