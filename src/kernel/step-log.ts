import type { Draw } from "./choice-sources.ts"
import type { Op } from "./op.ts"

/** One step of a run: the operation that happened, out of how many, and what was drawn since the step before. */
export interface RunStep {
  readonly step: number
  /** Virtual time at which it happened, in milliseconds. */
  readonly at: number
  readonly op: Op
  readonly enabled: number
  readonly draws: ReadonlyArray<Draw>
}

/**
 * The newest steps of a run.
 *
 * @since 0.1.0
 * @category kernel
 */
export interface StepLog {
  add(step: number, at: number, op: Op, enabled: number): void
  /** Oldest first. */
  steps(): ReadonlyArray<RunStep>
}

/** Steps stand in rings of plain values, for most are never looked at. */
interface Slot {
  at: number
  op: Op
  enabled: number
  /** How many draws the run had made when it happened. */
  drawn: number
}

/** @since 0.1.0 @category constructors */
export const makeStepLog = (stepsMax: number, draws: ReadonlyArray<Draw>): StepLog => {
  const slots: Array<Slot> = []
  let newest = 0
  let count = 0
  /** Draws that had been made at the last step that fell out. */
  let drawnBefore = 0
  return {
    add(step, at, op, enabled) {
      newest = step
      count++
      if (slots.length < stepsMax) {
        slots.push({ at, op, enabled, drawn: draws.length })
        return
      }
      const slot = slots[(count - 1) % stepsMax]
      if (slot === undefined) return
      drawnBefore = slot.drawn
      slot.at = at
      slot.op = op
      slot.enabled = enabled
      slot.drawn = draws.length
    },
    steps() {
      const steps: Array<RunStep> = []
      const oldest = count - slots.length
      let from = drawnBefore
      for (let index = oldest; index < count; index++) {
        const slot = slots[index % slots.length]
        if (slot === undefined) break
        const { at, op, enabled, drawn } = slot
        steps.push({ step: newest - (count - 1 - index), at, op, enabled, draws: draws.slice(from, drawn) })
        from = drawn
      }
      return steps
    }
  }
}
