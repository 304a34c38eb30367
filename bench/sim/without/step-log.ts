import type { StepLog } from "../../../src/kernel/step-log.ts"

/** A log that keeps nothing, in the place of the kernel's. */
export const makeStepLog = (): StepLog => ({ add() {}, steps: () => [] })
