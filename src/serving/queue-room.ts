import type { Plan } from "../domain/plan.ts"

/** All answers of a server that wait for their turn may be so long together, counted by their texts: 64 MiB. */
const waitingMax = 64 * 1024 * 1024

/** What a step costs beside its bytes. */
const stepBytes = 128

/**
 * The room for answers whose turn has not come: they are decided and planned, and nothing of them is sent yet.
 *
 * @since 0.1.0
 * @category serving
 */
export interface QueueRoom {
  /** Gives what ends the wait of an answer; the second call does nothing. `null` when there is no room for it. */
  enter(plan: Plan): (() => void) | null
}

/** @since 0.1.0 @category constructors */
export const makeQueueRoom = (bytesMax = waitingMax): QueueRoom => {
  let taken = 0
  return {
    enter(plan) {
      const size = sizeOf(plan)
      if (taken + size > bytesMax) return null
      taken += size
      let isIn = true
      return () => {
        if (isIn) taken -= size
        isIn = false
      }
    }
  }
}

const sizeOf = ({ steps }: Plan): number =>
  steps.reduce((sum, step) => sum + stepBytes + (step.kind === "write" ? step.bytes.length : 0), 0)
