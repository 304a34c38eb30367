import { derive } from "../../kernel/derive-seed.ts"

/**
 * The lane of everyone for whom no rule finds a key.
 *
 * @since 0.1.0
 * @category lanes
 */
export const defaultLane = "default"

/**
 * The seed of a lane: the configured seed itself for lane `default`, derived from the key for any other.
 *
 * **Source** fault-server.md, section 9.1.5
 *
 * @since 0.1.0
 * @category constructors
 */
export const laneSeed = (seed: number, lane: string): number =>
  lane === defaultLane ? seed >>> 0 : derive(seed, `lane:${lane}`)
