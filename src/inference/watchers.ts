import type { KnownAttempt } from "../domain/known-attempt.ts"
import type { Trace } from "../kernel/trace.ts"
import type { CopyWatcher } from "../serving/copy.ts"
import { arriveAtBarrier, type Expectation, leaveBarriers, noteDelivery } from "./expectation.ts"
import type { Gate } from "./gate.ts"
import type { LogRecord } from "./log-slot.ts"

/** Keeps the log entry of a request true to what is served; copies wait at `gate`. */
export const watchAnswer = (options: {
  readonly what: string
  readonly record: LogRecord
  readonly trace: Trace
  readonly gate: Gate
}): CopyWatcher => {
  const { what, record, trace, gate } = options
  return {
    what,
    waits: (copy) => gate.arrive(copy),
    headSent: record.headSent,
    served: record.served,
    settled(as, copy) {
      if (as === "cancelled") gate.leave(copy)
      record.settled(as)
      trace.record({ type: "settled", request: record.number, as })
    },
    ended(outcome) {
      record.ended(outcome)
      const { number, bytes, events } = record
      trace.record({ type: "ended", request: number, outcome, bytes, events })
    }
  }
}

/** The same for a copy of an expectation's call: it waits at the call's barriers and settles with it. */
export const watchCall = (
  watcher: CopyWatcher,
  options: { readonly request: number; readonly expectation: Expectation; readonly isPrimary: boolean }
): CopyWatcher => {
  const { request, expectation, isPrimary } = options
  const { supervisor } = expectation.data.book
  return {
    ...watcher,
    what: `${watcher.what} (expectation \`${expectation.data.name}\`)`,
    waits: (copy, barrier) => arriveAtBarrier(expectation, copy, { request, barrier, isPrimary }),
    settled(as, copy) {
      watcher.settled(as, copy)
      if (as === "cancelled") leaveBarriers(expectation, copy)
      supervisor.apply(expectation, { type: `${isPrimary ? "primary" : "replay"}.${as}` })
    },
    ...(isPrimary ? { delivered: (isDelivered: boolean) => noteDelivery(expectation, isDelivered) } : {})
  }
}

/** For a call in the hand of a test: says who holds it, until it is decided on. */
export const watchHeld = (
  watcher: CopyWatcher,
  heldBy: string
): { readonly watcher: CopyWatcher; become(next: CopyWatcher): void } => {
  let current: CopyWatcher = { ...watcher, what: `${watcher.what}, ${heldBy},` }
  return {
    watcher: {
      get what() {
        return current.what
      },
      waits: (copy, barrier, owner) => current.waits(copy, barrier, owner),
      served: (bytes, events) => current.served(bytes, events),
      headSent: (status) => current.headSent(status),
      settled: (as, copy) => current.settled(as, copy),
      ended: (outcome) => current.ended(outcome),
      delivered: (isDelivered) => current.delivered?.(isDelivered)
    },
    become(next) {
      current = next
    }
  }
}

/** Tells the count of attempts how this one ended. */
export const watchAttempt = (watcher: CopyWatcher, attempt: KnownAttempt): CopyWatcher => ({
  ...watcher,
  headSent(status) {
    attempt.headSent(status)
    watcher.headSent(status)
  },
  ended(outcome) {
    attempt.ended(outcome)
    watcher.ended(outcome)
  }
})
