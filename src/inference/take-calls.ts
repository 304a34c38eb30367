import { WaitEnded } from "../domain/errors.ts"
import type { CallFilter } from "./call-filter.ts"
import type { HeldCall } from "./held-call.ts"
import type { ServerEnd } from "./make-handle.ts"
import { makeHeldCall } from "./make-held-call.ts"
import { outstandingWait } from "./outstanding-wait.ts"
import type { Taker, Takers } from "./takers.ts"

/** What taking calls works with. */
export interface TakingParts {
  readonly takers: Takers
  readonly end: ServerEnd
}

/**
 * The next request that fits, held until the test answers it.
 *
 * **Takes** the filter, and where the test asked, for the report of what was left held
 * **Fails** with `WaitEnded` when the server closes first
 *
 * @since 0.1.0
 * @category calls
 */
export const takeNext = ({ takers, end }: TakingParts, filter: CallFilter, askedAt: string): Promise<HeldCall> =>
  outstandingWait((resolve, reject) => {
    const taker: Taker = {
      filter,
      askedAt,
      take(parts) {
        stopWaiting()
        resolve(makeHeldCall(parts))
      }
    }
    const stopWaiting = end.onClosed(() => {
      takers.remove(taker)
      reject(new WaitEnded(`the server closed before a request came for next() at ${askedAt}`))
    })
    takers.add(taker)
    if (end.isClosed()) reject(new WaitEnded(`the server is closed; next() at ${askedAt} gets no request`))
  })

/**
 * So many requests that fit, held until all are there at once, in the order in which they came. A client that leaves before
 * gives its place up.
 *
 * **Fails** with `WaitEnded` when the server closes first
 *
 * @since 0.1.0
 * @category calls
 */
export const gatherCalls = async (
  parts: TakingParts,
  options: { readonly count: number; readonly filter: CallFilter; readonly askedAt: string }
): Promise<ReadonlyArray<HeldCall>> => {
  const { count, filter, askedAt } = options
  let calls: ReadonlyArray<HeldCall> = []
  while (calls.length < count) {
    const wanted = Array.from({ length: count - calls.length }, () => takeNext(parts, filter, askedAt))
    const came = await Promise.all(wanted)
    calls = [...calls, ...came].filter((call) => !call.isGone)
  }
  return [...calls].sort((a, b) => a.number - b.number)
}

/** File and line of whoever called `below`, as the stack names them. */
export const callerOf = (below: (...given: never) => unknown): string => {
  const at: { stack?: string } = {}
  Error.captureStackTrace(at, below)
  const line = at.stack?.split("\n")[1]?.trim() ?? ""
  return /\(?((?:file:\/\/)?[^()\s]+:\d+:\d+)\)?$/.exec(line)?.[1] ?? "an unknown place"
}
