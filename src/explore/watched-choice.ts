import type { Draw } from "../kernel/choice-sources.ts"
import type { Op } from "../kernel/op.ts"
import type { ScheduleChoice } from "../kernel/sim-kernel.ts"
import { RunCut } from "./run-cut.ts"

/** A step as a choice source sees it. */
export interface SeenStep {
  readonly op: Op
  readonly enabled: number
}

/**
 * A source that is watched: what it was asked, and what it answered.
 *
 * @since 0.1.0
 * @category exploring
 */
export interface WatchedChoice {
  /** What the run is given. */
  readonly choice: ScheduleChoice
  readonly draws: ReadonlyArray<Draw>
  /** The oldest steps, up to a bound. */
  readonly steps: ReadonlyArray<SeenStep>
  /** Picks among several operations. */
  picks(): number
  /** Whether the source ended the run. */
  isCut(): boolean
  /** What else the source threw, also when the run caught it: it is no failure of the program. */
  broken(): unknown
}

/** Steps beyond so many are not kept. */
const stepsMax = 20_000

/** @since 0.1.0 @category constructors */
export const watchChoice = (source: ScheduleChoice, see?: (op: Op) => void): WatchedChoice => {
  const draws: Array<Draw> = []
  const steps: Array<SeenStep> = []
  let picks = 0
  let isCut = false
  let broken: unknown = null

  const fail = (error: unknown): never => {
    if (error instanceof RunCut) isCut = true
    else broken ??= error
    throw error
  }
  const answerTo = (enabled: ReadonlyArray<Op>, step: number): number => {
    if (source.pick === undefined) return enabled.length === 1 ? 0 : drawn(enabled.length, "schedule")
    try {
      return source.pick(enabled, step)
    } catch (error) {
      return fail(error)
    }
  }
  const drawn = (n: number, label: string, calmWeight?: number): number => {
    try {
      return source.draw(n, label, calmWeight)
    } catch (error) {
      return fail(error)
    }
  }

  const choice: ScheduleChoice = {
    pick(enabled, step) {
      const n = enabled.length
      const answer = answerTo(enabled, step)
      if (n > 1) {
        picks++
        draws.push({ label: "schedule", n, answer })
      }
      const op = enabled[answer]
      if (op === undefined) return answer
      if (steps.length < stepsMax) steps.push({ op, enabled: n })
      see?.(op)
      return answer
    },
    draw(n, label, calmWeight) {
      if (n <= 1) return 0
      const answer = drawn(n, label, calmWeight)
      if (label === "schedule") picks++
      draws.push({ label, n, answer })
      return answer
    }
  }
  return { choice, draws, steps, picks: () => picks, isCut: () => isCut, broken: () => broken }
}
