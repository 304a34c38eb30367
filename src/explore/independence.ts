import { type Op, touched } from "../kernel/op.ts"

/** Whether two operations touch something in common, so that their order may matter. */
export const isConflict = (one: Op, other: Op): boolean => {
  if (one.touches === undefined && other.touches === undefined) return one.actor === other.actor
  const things = touched(other)
  return touched(one).some((thing) => things.includes(thing))
}
