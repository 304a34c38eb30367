import { summary } from "../shared/measure/summary.ts"

/** How a reading has gone from the beginning of a run to its end. */
export interface Drift {
  readonly what: string
  readonly unit: string
  readonly first: number
  readonly last: number
  /** What the last may be at most. */
  readonly bound: number
  readonly isFlat: boolean
}

/** Readings of the first tenth are those of a process that warms up. */
const warmUpShare = 0.1

/**
 * Compares the middle of the first third of the readings behind the warm-up with that of the last third.
 *
 * **Takes** `bound`: what the last may be, of the first
 */
export const driftOf = (
  { what, unit }: Pick<Drift, "what" | "unit">,
  readings: ReadonlyArray<number>,
  bound: (first: number) => number
): Drift => {
  const warm = readings.slice(Math.floor(readings.length * warmUpShare))
  const third = Math.max(1, Math.floor(warm.length / 3))
  const first = summary(warm.slice(0, third)).median
  const last = summary(warm.slice(-third)).median
  // A reading that is none is no flat one.
  return { what, unit, first, last, bound: bound(first), isFlat: last <= bound(first) }
}
