import type { Op } from "../kernel/op.ts"

/**
 * Whether the order of two operations may matter: they touch something in common, or one of them does not say what it touches,
 * and may touch anything. What says that nothing was missed has to ask this.
 */
export const mayConflict = (one: Op, other: Op): boolean =>
  one.touches === undefined || other.touches === undefined || share(one.touches, other.touches)

/** A guess, for searches that need not be complete: what says nothing touches its actor alone. */
export const isLikelyConflict = (one: Op, other: Op): boolean => {
  if (one.touches === undefined && other.touches === undefined) return one.actor === other.actor
  return share(one.touches ?? [one.actor], other.touches ?? [other.actor])
}

const share = (things: ReadonlyArray<string>, others: ReadonlyArray<string>): boolean =>
  things.some((thing) => others.includes(thing))
