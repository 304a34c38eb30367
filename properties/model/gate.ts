import type { GateChange } from "./state.ts"

/**
 * The completion gate as a record of its changes. Within one millisecond a copy and a change may come in either order.
 *
 * **Source** inference-server.md, section 6
 */
export const isHeld = (changes: ReadonlyArray<GateChange>): boolean => changes.at(-1)?.isHeld ?? false

/** Whether a copy that came at `arrival` may pass at `at`. */
export const mayPass = (changes: ReadonlyArray<GateChange>, arrival: number, at: number): boolean => {
  if (at === arrival) return !wasHeldBefore(changes, at) || opensAt(changes, at)
  return opensAt(changes, at) && !changes.some((change) => !change.isHeld && change.at > arrival && change.at < at)
}

/** Whether a copy that came at `arrival` may still be waiting: what is not overdue may not have been done yet. */
export const mayWait = (
  changes: ReadonlyArray<GateChange>,
  arrival: number,
  isOverdue: (since: number) => boolean
): boolean => {
  const pending = changes.findIndex((change) => !change.isHeld && !isOverdue(change.at))
  const last = (pending < 0 ? changes : changes.slice(0, pending)).at(-1)
  return last?.isHeld === true && last.at <= arrival
}

const opensAt = (changes: ReadonlyArray<GateChange>, at: number): boolean =>
  changes.some((change) => !change.isHeld && change.at === at)

const wasHeldBefore = (changes: ReadonlyArray<GateChange>, at: number): boolean =>
  changes.findLast((change) => change.at < at)?.isHeld ?? false
