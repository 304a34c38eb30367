import type { Trace } from "../kernel/trace.ts"
import type { CopyWatcher } from "../serving/copy.ts"
import { arriveAtBarrier, type Expectation } from "./expectation.ts"
import type { Gate } from "./gate.ts"
import type { LogRecord } from "./request-log.ts"

/** For answers that are neither logged nor held: refusals, storage. */
export const unwatched: CopyWatcher = {
  waits: () => {},
  headSent: () => {},
  served: () => {},
  settled: () => {},
  ended: () => {}
}

/** Keeps the log entry of a request true to what is served; copies wait at `gate`. */
export const watchAnswer = (options: {
  readonly record: LogRecord
  readonly trace: Trace
  readonly gate: Gate
}): CopyWatcher => {
  const { record, trace, gate } = options
  return {
    waits: (copy) => gate.arrive(copy),
    headSent: record.headSent,
    served: record.served,
    settled(as) {
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
  options: { readonly expectation: Expectation; readonly isPrimary: boolean }
): CopyWatcher => {
  const { expectation, isPrimary } = options
  const { supervisor } = expectation.data.book
  return {
    ...watcher,
    waits: (copy, barrier) => arriveAtBarrier(expectation, copy, { barrier, isPrimary }),
    settled(as) {
      watcher.settled(as)
      supervisor.apply(expectation, { type: `${isPrimary ? "primary" : "replay"}.${as}` })
    }
  }
}
