import type { TracedStep } from "./run-trace.ts"

/** For each actor, how many of its steps happened before this one or are this one; actors without such steps are not named. */
export type VectorClock = ReadonlyMap<string, number>

/** A step and its clock. */
export interface ClockedStep {
  readonly step: TracedStep
  readonly clock: VectorClock
}

/**
 * The vector clock of each step: a step comes after the step that caused it, and after the steps of its actor before it. Clocks
 * are made one by one, since all of them together can be large.
 *
 * @since 0.1.0
 * @category traces
 */
export function* vectorClocks(steps: ReadonlyArray<TracedStep>): Generator<ClockedStep, void> {
  const needed = lastEffects(steps)
  const ofActor = new Map<string, VectorClock>()
  const ofCause = new Map<number, VectorClock>()
  for (const step of steps) {
    const clock = new Map(ofActor.get(step.actor))
    const caused = step.cause === null ? undefined : ofCause.get(step.cause)
    for (const [actor, count] of caused ?? []) if (count > (clock.get(actor) ?? 0)) clock.set(actor, count)
    clock.set(step.actor, (clock.get(step.actor) ?? 0) + 1)
    ofActor.set(step.actor, clock)
    if (needed.has(step.step)) ofCause.set(step.step, clock)
    if (step.cause !== null && needed.get(step.cause) === step.step) ofCause.delete(step.cause)
    yield { step, clock }
  }
}

/** For each step that caused another, the last one that it caused. */
const lastEffects = (steps: ReadonlyArray<TracedStep>): ReadonlyMap<number, number> => {
  const last = new Map<number, number>()
  for (const { step, cause } of steps) if (cause !== null) last.set(cause, step)
  return last
}

/** Whether a clock is of a step that happened before the step of another clock, so that it may have mattered to it. */
export const isBefore = (one: VectorClock, other: VectorClock): boolean => {
  let isLess = false
  for (const [actor, count] of one) {
    const there = other.get(actor) ?? 0
    if (count > there) return false
    if (count < there) isLess = true
  }
  return isLess || other.size > one.size
}
