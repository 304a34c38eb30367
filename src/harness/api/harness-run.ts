import type { Transition } from "../../domain/transition.ts"

/** The outermost scope, whose processes all carry the mark of one run. */
export interface HarnessRun {
  readonly runId: string
  /** The last 200 steps of all charts, oldest first. */
  transitions(): ReadonlyArray<Transition>
}
