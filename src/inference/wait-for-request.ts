import { InvalidOption, WaitEnded } from "../domain/errors.ts"
import { describe } from "../domain/json.ts"
import { yesOrNo } from "../domain/yes-or-no.ts"
import type { LogEntry } from "./log-entry.ts"
import type { ServerEnd } from "./make-handle.ts"
import { outstandingWait } from "./outstanding-wait.ts"
import type { RequestLog } from "./request-log.ts"

/**
 * The first request that a predicate accepts, of the retained ones or of those to come. It is asked again when the request
 * was decided on and when its answer has ended, so that it may look at kind, source and outcome.
 *
 * **Fails** with `WaitEnded` when the server closes first, naming what came instead; with what the predicate throws; with
 * `InvalidOption` when it does not answer true or false at once
 *
 * @since 0.1.0
 * @category log
 */
export const waitForRequest = (
  { log, end }: { readonly log: RequestLog; readonly end: ServerEnd },
  accepts: (entry: LogEntry) => boolean
): Promise<LogEntry> =>
  outstandingWait((resolve, reject) => {
    if (typeof accepts !== "function") {
      throw new InvalidOption(
        `waitForRequest(accepts): accepts is ${describe(accepts)}; use a function that answers true or false at once`
      )
    }
    let isSettled = false
    const settle = (how: () => void): void => {
      if (isSettled) return
      isSettled = true
      stopWatching()
      stopWaiting()
      how()
    }
    const look = (entry: LogEntry): boolean => {
      try {
        const isFound = yesOrNo("the predicate of waitForRequest", accepts(entry))
        if (isFound) settle(() => resolve(entry))
        return isFound
      } catch (error) {
        settle(() => reject(error))
        return true
      }
    }
    const endWait = (): void => settle(() => reject(new WaitEnded(missed(log))))
    const stopWatching = log.watch(look)
    const stopWaiting = end.onClosed(endWait)
    if (!log.entries().some(look) && end.isClosed()) endWait()
  })

/** So many of the newest requests are named. */
const missedMax = 16

const missed = (log: RequestLog): string => {
  const entries = log.entries()
  const paths = entries.slice(-missedMax).map((entry) => `#${entry.number} ${entry.method} ${entry.path}`)
  const earlier = entries.length > paths.length ? `${entries.length - paths.length} others and ` : ""
  const seen = paths.length === 0 ? "no request came" : `came: ${earlier}${paths.join(", ")}`
  return `the server closed before a request was accepted by waitForRequest; ${seen}`
}
