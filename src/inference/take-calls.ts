import { InvalidOption, WaitEnded } from "../domain/errors.ts"
import { describe } from "../domain/json.ts"
import type { TraceEvent } from "../domain/trace-event.ts"
import type { Trace } from "../kernel/trace.ts"
import type { Attempts } from "../serving/attempts.ts"
import type { CallFilter } from "./call-filter.ts"
import { checkedFilter } from "./check-call-filter.ts"
import type { HeldCall } from "./held-call.ts"
import { heldState } from "./held-call-state.ts"
import type { ServerEnd } from "./make-handle.ts"
import { makeHeldCall } from "./make-held-call.ts"
import { outstandingWait } from "./outstanding-wait.ts"
import { type Taker, type Takers, whatThrew } from "./takers.ts"

/** What taking calls works with. */
export interface TakingParts {
  readonly takers: Takers
  readonly attempts: Pick<Attempts, "turnOn">
  readonly trace: Pick<Trace, "watch">
  readonly end: ServerEnd
}

/**
 * The next request that fits, held until the test answers it.
 *
 * **Takes** the filter, and where the test asked, for the report of what was left held
 * **Fails** with `WaitEnded` when the server closes first; with `InvalidOption` for a filter that cannot be; with the reason
 * of the signal that ended the wait
 *
 * @since 0.1.0
 * @category calls
 */
export const takeNext = (parts: TakingParts, filter: CallFilter, askedAt: string): Promise<HeldCall> =>
  outstandingWait((resolve, reject) => {
    const wish = { words: "next()", filter: checkedFilter("next(filter)", filter), askedAt, count: 1 }
    awaitCalls(parts, wish, {
      came([call]) {
        if (call !== undefined) resolve(call)
      },
      failed: reject
    })
  })

/**
 * So many requests that fit, held until all are there at once, in the order in which they came. A client that leaves before
 * gives its place up at once.
 *
 * **Fails** as `takeNext`
 *
 * @since 0.1.0
 * @category calls
 */
export const gatherCalls = (
  parts: TakingParts,
  options: { readonly count: number; readonly filter: CallFilter; readonly askedAt: string }
): Promise<ReadonlyArray<HeldCall>> =>
  outstandingWait((resolve, reject) => {
    const { count, filter, askedAt } = options
    checkGathered(count)
    const wish = { words: `gather(${count})`, filter: checkedFilter("gather(count, filter)", filter), askedAt, count }
    awaitCalls(parts, wish, { came: resolve, failed: reject })
  })

/** So many places are bounded by what a machine has connections for. */
const gatheredMax = 100_000

const checkGathered = (count: number): void => {
  if (Number.isInteger(count) && count >= 1 && count <= gatheredMax) return
  const given = typeof count === "number" ? String(count) : describe(count)
  throw new InvalidOption(`gather(count): count is ${given}; use a whole number from 1 to ${gatheredMax}`)
}

/** Waits until so many are there; all is counted in the very step in which a request comes or its client leaves. */
const awaitCalls = (
  { takers, attempts, trace, end }: TakingParts,
  wish: Pick<Taker, "words" | "filter" | "askedAt"> & { readonly count: number },
  outcome: {
    readonly came: (calls: ReadonlyArray<HeldCall>) => void
    readonly failed: (error: unknown) => void
  }
): void => {
  const { words, filter, askedAt, count } = wish
  const { signal } = filter
  if (end.isClosed()) {
    outcome.failed(new WaitEnded(`the server is closed; ${words} at ${askedAt} gets no request`))
    return
  }
  if (signal?.aborted === true) {
    outcome.failed(signal.reason)
    return
  }
  if (filter.attempt !== undefined) attempts.turnOn()

  /** By the number of the actor that answers them, in the order in which they came. */
  const there = new Map<number, HeldCall>()
  let isOver = false
  let stopWatching = (): void => {}
  const stop = (): void => {
    isOver = true
    stopWaiting()
    stopWatching()
    takeOut()
    signal?.removeEventListener("abort", giveUp)
  }
  /** Nobody wants them any more: they are answered as if nobody ever had. */
  const giveBack = (error: unknown): void => {
    stop()
    for (const call of there.values()) if (!call.isGone) call.proceed()
    outcome.failed(error)
  }
  const seeLeaving = (event: TraceEvent): void => {
    if (event.type === "step" && leaving.has(event.event)) there.delete(event.actor)
  }
  const giveUp = (): void => giveBack(signal?.reason)
  const taker: Taker = {
    ...wish,
    thrown: { count: 0, first: "" },
    missing: () => count - there.size,
    refuse: giveBack,
    take(parts) {
      const state = heldState(parts.about, { copy: parts.copy, askedAt })
      const call = makeHeldCall(parts, { state, trace })
      takers.hold(state)
      if (isOver) {
        call.proceed()
        return
      }
      there.set(parts.copy.id, call)
      if (there.size < count) {
        stopWatching()
        stopWatching = trace.watch(seeLeaving)
        return
      }
      stop()
      outcome.came([...there.values()])
    }
  }
  const takeOut = takers.add(taker)
  const stopWaiting = end.onClosed(() => {
    // It stays among the takers of a closed server, so that `verify()` names it then too.
    stopWatching()
    signal?.removeEventListener("abort", giveUp)
    outcome.failed(
      new WaitEnded(`the server closed before a request came for ${words} at ${askedAt}${whatThrew(taker)}`)
    )
  })
  signal?.addEventListener("abort", giveUp)
}

/** What makes the place of a call free again; a server that closes does not. */
const leaving: ReadonlySet<string> = new Set(["client.gone", "transport.failed"])
