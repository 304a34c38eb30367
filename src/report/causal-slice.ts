import type { RunTrace, TracedStep } from "./run-trace.ts"

/**
 * The steps at which a failure showed: those that the run names, else its last one. Numbers of steps that are not there do not
 * count.
 */
export const failedSteps = ({ end, steps }: RunTrace): ReadonlyArray<number> => {
  const named = end.type === "failed" ? new Set(end.failedAt) : new Set<number>()
  const there = steps.filter(({ step }) => named.has(step)).map(({ step }) => step)
  return there.length > 0 ? there : steps.slice(-1).map(({ step }) => step)
}

/**
 * The steps that others depend on, those themselves among them, in order: their causes, and what touched before them what they
 * touched. All other steps could have been left out or come later without a difference to them. A step that does not say what it
 * touches may touch anything, so it depends on all before it: in worlds of foreign code that leaves out what came later, and no more.
 *
 * **Source** simulation.md, section 5.7
 *
 * @since 0.1.0
 * @category traces
 */
export const causalSlice = (steps: ReadonlyArray<TracedStep>, of: ReadonlyArray<number>): ReadonlyArray<TracedStep> => {
  const neededFor = dependencies(steps)
  const kept = new Set<number>()
  const open = of.filter((step) => neededFor.has(step))
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (kept.has(step)) continue
    kept.add(step)
    for (const earlier of neededFor.get(step) ?? []) if (!kept.has(earlier)) open.push(earlier)
  }
  return steps.filter(({ step }) => kept.has(step))
}

/** For each step the ones directly before it: its cause, and the last that touched each thing that it touches. */
const dependencies = (steps: ReadonlyArray<TracedStep>): ReadonlyMap<number, ReadonlyArray<number>> => {
  const lastTouch = new Map<string, number>()
  /** The last that may have touched anything, and those that came before it are before it. */
  let lastUnknown: number | null = null
  const before = new Map<number, ReadonlyArray<number>>()
  for (const { step, cause, touches } of steps) {
    const direct = cause !== null && before.has(cause) ? [cause] : []
    if (lastUnknown !== null) direct.push(lastUnknown)
    if (touches === undefined) {
      direct.push(...lastTouch.values())
      lastTouch.clear()
      lastUnknown = step
    }
    for (const thing of touches ?? []) {
      const last = lastTouch.get(thing)
      if (last !== undefined) direct.push(last)
      lastTouch.set(thing, step)
    }
    before.set(step, direct)
  }
  return before
}

/** The part of a run that its failure depends on. */
export const failureSlice = (trace: RunTrace): ReadonlyArray<TracedStep> => causalSlice(trace.steps, failedSteps(trace))
