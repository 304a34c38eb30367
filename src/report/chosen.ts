import type { Draw } from "../kernel/choice-sources.ts"
import type { TracedStep } from "./run-trace.ts"

/** A choice of a run that was not the calm one. */
export interface Chosen {
  readonly step: TracedStep
  readonly draw: Draw
}

/** The choices of a run that were not calm, in order: their number is the depth of its bug. */
export const chosenIn = (steps: ReadonlyArray<TracedStep>): ReadonlyArray<Chosen> =>
  steps.flatMap((step) => chosenAt(step).map((draw) => ({ step, draw })))

/** The draws of a step that were not calm. */
export const chosenAt = ({ draws }: TracedStep): ReadonlyArray<Draw> => draws.filter(({ answer }) => answer !== 0)

/** Whether a choice was which operation comes next. */
export const isSchedule = ({ label }: Draw): boolean => label === "schedule"
