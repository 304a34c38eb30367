import { type Copy, nextStep } from "../serving/copy.ts"

/** A response in progress in words: what it is, and what it is waiting for. @since 0.1.0 @category errors */
export const describeCopy = (copy: Copy): string => `${copy.data.watcher.what} ${standing(copy)}`

/** It waits for a test that took it into its hand. */
const isInHand = (copy: Copy): boolean => copy.snapshot.state.endsWith(".starved")

/** Its client asked for several answers on one connection. */
const isInQueue = (copy: Copy): boolean => copy.snapshot.state.endsWith(".queued")

const standing = (copy: Copy): string => {
  if (isInQueue(copy)) return "waits for the answer before it on its connection"
  if (copy.snapshot.value === "stalled") return "is stalled"
  if (isInHand(copy)) return "waits for the test to say what comes next"
  const step = nextStep(copy)
  if (step?.kind === "barrier") return `waits at barrier \`${step.name}\``
  return step?.kind === "pause" ? `waits ${step.ms} ms before its next event` : "waits for its client to read"
}
