import { WaitEnded } from "../domain/errors.ts"
import type { Trace } from "../kernel/trace.ts"
import type { LogEntry } from "./log-entry.ts"
import type { ServerEnd } from "./make-handle.ts"
import { outstandingWait } from "./outstanding-wait.ts"
import type { RequestLog } from "./request-log.ts"

/**
 * The first request that a predicate accepts, of the retained ones or of those to come.
 *
 * **Fails** with `WaitEnded` when the server closes first, naming what came instead; with what the predicate throws
 *
 * @since 0.1.0
 * @category log
 */
export const waitForRequest = (
  parts: { readonly log: RequestLog; readonly trace: Trace; readonly end: ServerEnd },
  accepts: (entry: LogEntry) => boolean
): Promise<LogEntry> => {
  const { log, trace, end } = parts
  return outstandingWait((resolve, reject) => {
    let seen = 0
    const look = (): void => {
      try {
        const found = log.entries().find((entry) => entry.number > seen && accepts(entry))
        seen = log.count()
        if (found !== undefined) settle(() => resolve(found))
        else if (end.isClosed()) settle(() => reject(new WaitEnded(missed(log))))
      } catch (error) {
        settle(() => reject(error))
      }
    }
    const stopWatching = trace.watch((event) => {
      if (event.type === "request") look()
    })
    const stopWaiting = end.onClosed(() => look())
    const settle = (how: () => void): void => {
      stopWatching()
      stopWaiting()
      how()
    }
    look()
  })
}

const missed = (log: RequestLog): string => {
  const paths = log.entries().map((entry) => `${entry.method} ${entry.path}`)
  const seen = paths.length === 0 ? "no request came" : `came: ${paths.join(", ")}`
  return `the server closed before a request was accepted by waitForRequest; ${seen}`
}
