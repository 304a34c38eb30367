import type { Ending, Plan, WireStep } from "./plan.ts"

/** Nothing is said and nothing crosses: the copy waits for what the test says next. */
export const heldPlan = (steps: ReadonlyArray<WireStep> = [], keepAlive = false): Plan => ({
  steps,
  ending: "end",
  crossesAt: Number.POSITIVE_INFINITY,
  keepAlive,
  isOpen: true
})

/** The end of an answer that was written by hand: the copy crosses, and ends so. */
export const endingPlan = (ending: Ending): Plan => ({ steps: [], ending, crossesAt: 0, keepAlive: false })
