import { breach, firstBreach, type Hot, type Judged, type Monitor } from "./monitor.ts"
import { attemptName, callName, type RunEvent, type SeenEvent } from "./run-event.ts"

/** What a client may spend on a call. */
export interface RetryBudget {
  readonly retriesMax: number
  /** How much earlier than `Retry-After` asks a retry may be, as clocks are rounded. Default 1. */
  readonly toleranceMs?: number
  /** How much later than `Retry-After` asks a retry may be. Default: no bound, for clients add jitter. */
  readonly lateMsMax?: number
  /** From the start of a call until it settles. Default: no bound. */
  readonly totalMsMax?: number
  /** Whose requests stay out of the window that `Retry-After` forbids: of the `call` (default) or of all calls of its `actor`. */
  readonly windowOf?: "call" | "actor"
}

/** From an answer with `Retry-After` until the moment that it asks for. */
interface Window {
  readonly from: number
  readonly until: number
}

interface Call {
  readonly since: number
  /** How often it was tried, by what was asked: one call may ask several things. */
  readonly tries: Map<string, number>
  /** Until its own retry. */
  asked: Window | null
}

interface RetryState extends Judged {
  /** Calls that have not settled. */
  readonly calls: Map<string, Call>
  readonly settled: Set<string>
  /** The window of each call or actor at each server that lasts longest. */
  readonly windows: Map<string, Window>
  /** Where attempts without an answer went. */
  readonly asked: Map<string, string>
}

/**
 * What a call asks has at most so many retries, none of them before the moment that `Retry-After` of the same server asked for, none later
 * than `lateMsMax` after it, and none after it settled; it settles in time. A client may settle a call at any time instead of trying again.
 *
 * @since 0.1.0
 * @category oracles
 */
export const retryBudget = (budget: RetryBudget): Monitor<RetryState> => ({
  name: "retry-budget",
  init: () => ({ breach: undefined, calls: new Map(), settled: new Set(), windows: new Map(), asked: new Map() }),
  on(event, state) {
    note(event, state, budget)
    return state
  },
  hot: ({ calls }) => [...calls].flatMap(([who, call]) => waitsOf(who, call, budget)),
  fail: firstBreach
})

const note = (event: SeenEvent, state: RetryState, budget: RetryBudget): void => {
  switch (event.type) {
    case "call.started":
      state.calls.set(callName(event), { since: event.at, tries: new Map(), asked: null })
      state.settled.delete(callName(event))
      return
    case "call.settled":
      state.calls.delete(callName(event))
      state.settled.add(callName(event))
      return
    case "answer.ended":
      state.asked.delete(attemptName(event))
      return
    case "attempt.answered": {
      if (event.retryAfterMs === null) return
      const window = { from: event.at, until: event.at + event.retryAfterMs }
      const name = windowName(event, state.asked.get(attemptName(event)), budget)
      const before = state.windows.get(name)
      if (before === undefined || before.until < window.until) state.windows.set(name, window)
      const call = state.calls.get(callName(event))
      if (call !== undefined) call.asked = window
      return
    }
    case "attempt.sent":
      if (event.to !== undefined) state.asked.set(attemptName(event), event.to)
      judgeAttempt(event, state, budget)
  }
}

type Attempted = Extract<RunEvent, { readonly type: "attempt.sent" | "attempt.answered" }>

const windowName = (event: Attempted, to = "", { windowOf }: RetryBudget): string =>
  `${windowOf === "actor" ? event.actor : callName(event)} ${to}`

const judgeAttempt = (
  event: Extract<RunEvent, { readonly type: "attempt.sent" }>,
  state: RetryState,
  budget: RetryBudget
): void => {
  const name = callName(event)
  const { retriesMax, toleranceMs = 1 } = budget
  if (state.settled.has(name))
    breach(state, "a request after the call had settled", `${name} sent attempt ${event.attempt} after it had settled`)
  const window = state.windows.get(windowName(event, event.to, budget))
  if (window !== undefined && event.at < window.until - toleranceMs)
    breach(
      state,
      "a request in the window that Retry-After forbids",
      `${name} sent attempt ${event.attempt} at ${event.at} ms; an answer at ${window.from} ms asked for ${window.until} ms`
    )
  const call = state.calls.get(name)
  if (call === undefined) return
  const tries = (call.tries.get(event.asks ?? "") ?? 0) + 1
  call.tries.set(event.asks ?? "", tries)
  call.asked = null
  if (tries > retriesMax + 1)
    breach(
      state,
      "more retries than allowed",
      `${name} sent the same request ${tries} times; ${retriesMax} retries are allowed`
    )
}

const waitsOf = (who: string, { since, asked }: Call, budget: RetryBudget): ReadonlyArray<Hot> => {
  const { lateMsMax = Number.POSITIVE_INFINITY, totalMsMax } = budget
  const late: ReadonlyArray<Hot> =
    asked === null || lateMsMax === Number.POSITIVE_INFINITY
      ? []
      : [
          {
            what: "a retry later than Retry-After asks",
            who,
            waitsFor: `its client, to try again or give up (judge.retries.lateMsMax: ${lateMsMax})`,
            since: asked.from,
            deadlineMs: asked.until - asked.from + lateMsMax
          }
        ]
  if (totalMsMax === undefined) return late
  const waitsFor = "its client, to settle it in time"
  return [...late, { what: "a call took longer than allowed", who, waitsFor, since, deadlineMs: totalMsMax }]
}
