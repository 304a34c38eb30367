import type { FaultName } from "../../domain/fault-names.ts"
import { type ChanceSource, laneChance } from "./lane-chance.ts"
import { readWhole } from "./read-members.ts"

/**
 * The largest seed.
 *
 * @since 0.1.0
 * @category faults
 */
export const seedMax = 4_294_967_295

/**
 * More choices are not made at once.
 *
 * @since 0.1.0
 * @category faults
 */
export const simulatedRequestsMax = 1_000_000

/**
 * A lane that is not run.
 *
 * @since 0.1.0
 * @category models
 */
export type SimulationOptions = ChanceSource & {
  readonly seed: number
  readonly requests: number
  /** `default` when absent. */
  readonly lane?: string
}

/**
 * The faults that so many requests of one lane would get from a script of `random` alone, without a server.
 *
 * **Fails** with `InvalidOption` when `seed` or `requests` is out of its range
 * **Source** fault-server.md, section 9.5, point 6
 *
 * @since 0.1.0
 * @category running
 */
export const simulateChoices = (options: SimulationOptions): ReadonlyArray<FaultName> => {
  readWhole(options.seed, "seed", { least: 0, most: seedMax })
  const length = readWhole(options.requests, "requests", { least: 0, most: simulatedRequestsMax })
  const chance = laneChance(options)
  return Array.from({ length }, () => chance.choose())
}
