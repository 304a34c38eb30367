import type { Draw } from "../kernel/choice-sources.ts"
import type { Outcome } from "./outcome.ts"
import type { SeenStep } from "./watched-choice.ts"

/** The first place where two runs with the same choices differ; `null` where one of them had ended. */
export interface Difference<T> {
  /** From 0. */
  readonly index: number
  readonly first: T | null
  readonly second: T | null
}

/** What is compared of two runs. */
export interface RunRecord {
  readonly outcome: Outcome
  readonly draws: ReadonlyArray<Draw>
  readonly steps: ReadonlyArray<SeenStep>
}

/**
 * A run that was made twice with the same choices was not the same run.
 *
 * **Source** simulation.md, section 5.6
 *
 * @since 0.1.0
 * @category errors
 */
export class NotDeterministic extends Error {
  readonly _tag = "NotDeterministic"
  /** The number of the run in its search, from 0. */
  readonly run: number
  /** The first draw that differs; `null` when all are equal. */
  readonly draw: Difference<Draw> | null
  /** The first step that differs; `null` when all are equal. */
  readonly step: Difference<SeenStep> | null
  /** How the runs ended; `null` when that is equal. */
  readonly ends: { readonly first: string; readonly second: string } | null
  constructor(run: number, { draw, step, ends }: RunDifferences) {
    super(
      [
        `run ${run} was another run the second time, with the same choices. Something in it comes neither from the seed nor from the choice source: a clock, a random number, an earlier run`,
        `  first draw that differs: ${draw === null ? "none" : told(draw, drawText)}`,
        `  first step that differs: ${step === null ? "none" : told(step, stepText)}`,
        ...(ends === null ? [] : [`  end: ${ends.first}, then ${ends.second}`])
      ].join("\n")
    )
    this.name = "NotDeterministic"
    this.run = run
    this.draw = draw
    this.step = step
    this.ends = ends
  }
}

/** Where two runs differ. */
export interface RunDifferences {
  readonly draw: Difference<Draw> | null
  readonly step: Difference<SeenStep> | null
  readonly ends: { readonly first: string; readonly second: string } | null
}

/** Where two runs differ; `null` when they do not. */
export const compareRuns = (first: RunRecord, second: RunRecord): RunDifferences | null => {
  const draw = firstDifference(first.draws, second.draws, drawText)
  const step = firstDifference(first.steps, second.steps, stepText)
  const [one, other] = [endText(first.outcome), endText(second.outcome)]
  const ends = one === other ? null : { first: one, second: other }
  return draw === null && step === null && ends === null ? null : { draw, step, ends }
}

const firstDifference = <T>(
  first: ReadonlyArray<T>,
  second: ReadonlyArray<T>,
  textOf: (thing: T) => string
): Difference<T> | null => {
  const length = Math.max(first.length, second.length)
  for (let index = 0; index < length; index++) {
    const [one, other] = [first[index], second[index]]
    if (one !== undefined && other !== undefined && textOf(one) === textOf(other)) continue
    return { index, first: one ?? null, second: other ?? null }
  }
  return null
}

const told = <T>({ index, first, second }: Difference<T>, textOf: (thing: T) => string): string =>
  `${index}: ${first === null ? "the end" : textOf(first)}, then ${second === null ? "the end" : textOf(second)}`

const drawText = ({ label, n, answer }: Draw): string => `${label} ${answer} of ${n}`

const stepText = ({ op, enabled }: SeenStep): string =>
  `${op.label} to ${op.actor}, due at ${op.due} ms, one of ${enabled}`

const endText = (outcome: Outcome): string => {
  const how = outcome.type === "ok" ? "ok" : outcome.signature
  return outcome.hash === undefined ? how : `${how} with hash ${outcome.hash}`
}
