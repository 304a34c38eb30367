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

/**
 * What was said of an answer while it was in progress, and is not begun. Plain data, never changed: one more plan gives
 * another one.
 *
 * @since 0.1.0
 * @category plans
 */
export interface SaidPlan {
  /** Steps in order. No chunk is long beside the next, so that one more step copies few of those before it. */
  readonly chunks: ReadonlyArray<ReadonlyArray<WireStep>>
  /** How many steps that are, and bytes. */
  readonly steps: number
  readonly bytes: number
  /** The newest plan: all but its steps holds for the whole. */
  readonly newest: Plan
}

/**
 * What was said, and one more plan. Of n steps said one by one each is copied about log n times.
 *
 * @since 0.1.0
 * @category plans
 */
export const alsoSaid = (said: SaidPlan | null, newest: Plan): SaidPlan => {
  const { chunks, steps, bytes } = said ?? { chunks: [], steps: 0, bytes: 0 }
  return {
    chunks: withMore(chunks, newest.steps),
    steps: steps + newest.steps.length,
    bytes: newest.steps.reduce((sum, step) => sum + bytesOf(step), bytes),
    newest
  }
}

/** Joins the last chunks with the steps as far as they are at most twice as long as what comes behind them. */
const withMore = (
  chunks: ReadonlyArray<ReadonlyArray<WireStep>>,
  steps: ReadonlyArray<WireStep>
): SaidPlan["chunks"] => {
  let kept = chunks.length
  let length = steps.length
  for (; kept > 0; kept--) {
    const chunk = chunks[kept - 1] ?? []
    if (chunk.length > 2 * length) break
    length += chunk.length
  }
  return [...chunks.slice(0, kept), [...chunks.slice(kept).flat(), ...steps]]
}

/**
 * What was said, as one plan.
 *
 * @since 0.1.0
 * @category plans
 */
export const begun = ({ chunks, steps, newest }: SaidPlan): Plan => ({
  ...newest,
  steps: chunks.flat(),
  crossesAt: steps - newest.steps.length + newest.crossesAt
})

/**
 * The bytes from each step of a plan to its end. A text counts by its length.
 *
 * @since 0.1.0
 * @category plans
 */
export const bytesAhead = ({ steps }: Plan): ReadonlyArray<number> => {
  let ahead = 0
  return steps
    .toReversed()
    .map((step) => (ahead += bytesOf(step)))
    .toReversed()
}

const bytesOf = (step: WireStep): number => (step.kind === "write" ? step.bytes.length : 0)
