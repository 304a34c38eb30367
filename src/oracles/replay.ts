import type { TraceEvent } from "../domain/trace-event.ts"
import { breach, firstBreach, type Judged, type Monitor } from "./monitor.ts"
import { attemptName, type RunEvent, requestName } from "./run-event.ts"

interface LiveCall {
  readonly primary: number
  readonly active: Set<number>
  /** What a complete copy was, as the server and as a client counts it. */
  sent: Answer | null
  read: Answer | null
}

interface Answer {
  readonly request: number
  readonly text: string
}

interface Copy {
  readonly call: LiveCall | null
  readonly source: string
  readonly expectation: string | null
  /** The primaries of the calls that were live when it was decided on. */
  readonly beside: ReadonlyArray<number>
}

interface ReplayState extends Judged {
  readonly calls: Map<string, LiveCall>
  readonly copies: Map<number, Copy>
  /** What clients said of their attempts. */
  readonly fingerprints: Map<number, string | null>
  readonly requests: Map<string, number>
  readonly statuses: Map<string, number>
}

/**
 * A replay is a copy of a call that is live, and of its own call; whoever asks the same while a call is live gets one; complete
 * copies of one call have the same bytes. The identity of requests is known where clients tell it (`attempt.arrived`).
 *
 * **Source** inference-server.md, section 11, 9 to 14
 *
 * @since 0.1.0
 * @category oracles
 */
export const replayFidelity = (): Monitor<ReplayState> => ({
  name: "replay",
  init: () => ({
    breach: undefined,
    calls: new Map(),
    copies: new Map(),
    fingerprints: new Map(),
    requests: new Map(),
    statuses: new Map()
  }),
  on(event, state) {
    switch (event.type) {
      case "decision":
        noteDecision(event, state)
        break
      case "settled":
        state.copies.get(event.request)?.call?.active.delete(event.request)
        break
      case "ended":
        if (event.outcome === "completed") noteSent(event, state)
        break
      case "attempt.arrived":
        if (event.fingerprint !== undefined) state.fingerprints.set(event.request, event.fingerprint)
        state.requests.set(attemptName(event), event.request)
        // Clients may say it before the server decides, or after.
        for (const [request] of state.copies) judgeIdentity(request, state)
        break
      case "attempt.answered":
        state.statuses.set(attemptName(event), event.status)
        break
      case "answer.ended":
        if (event.how === "end") noteRead(event, state)
    }
    return state
  },
  fail: firstBreach
})

type Decision = Extract<TraceEvent, { readonly type: "decision" }>

const noteDecision = ({ request, source, expectation }: Decision, state: ReplayState): void => {
  const live = [...state.calls.values()].filter(({ active }) => active.size > 0)
  const beside = live.map(({ primary }) => primary).filter((primary) => primary !== request)
  const call = callOf({ request, source, expectation }, state)
  call?.active.add(request)
  state.copies.set(request, { call, source, expectation, beside })
  judgeIdentity(request, state)
}

const callOf = (
  { request, source, expectation }: Pick<Decision, "request" | "source" | "expectation">,
  state: ReplayState
): LiveCall | null => {
  if (expectation === null || (source !== "expectation" && source !== "replay")) return null
  if (source === "expectation") {
    const begun: LiveCall = { primary: request, active: new Set(), sent: null, read: null }
    state.calls.set(expectation, begun)
    return begun
  }
  const call = state.calls.get(expectation)
  if (call !== undefined && call.active.size > 0) return call
  breach(
    state,
    "a replay of a call that was over",
    `${requestName(request)} is a replay of "${expectation}", which has no active copy`
  )
  return null
}

const judgeIdentity = (request: number, state: ReplayState): void => {
  const copy = state.copies.get(request)
  const own = state.fingerprints.get(request)
  if (copy === undefined || own === undefined) return
  if (copy.source === "replay" && copy.call !== null) {
    const primary = state.fingerprints.get(copy.call.primary)
    if (primary !== undefined && (own === null || primary !== own))
      breach(
        state,
        "a replay of another's call",
        `${requestName(request)} got a replay of ${requestName(copy.call.primary)}, which asked something else`
      )
    return
  }
  const same = copy.beside.find((primary) => own !== null && state.fingerprints.get(primary) === own)
  if (same === undefined) return
  breach(
    state,
    "a duplicate was no replay",
    `${requestName(request)} asked what ${requestName(same)} asked, whose call was live, and got ${copy.source}`
  )
}

const noteSent = (
  { request, bytes, events }: Extract<TraceEvent, { readonly type: "ended" }>,
  state: ReplayState
): void => {
  const call = state.copies.get(request)?.call
  if (call === null || call === undefined) return
  const answer = { request, text: `${bytes} bytes, ${events} events` }
  call.sent ??= answer
  judgeSame(call.sent, answer, state)
}

const noteRead = (event: Extract<RunEvent, { readonly type: "answer.ended" }>, state: ReplayState): void => {
  const request = state.requests.get(attemptName(event))
  const call = request === undefined ? undefined : state.copies.get(request)?.call
  if (request === undefined || call === null || call === undefined) return
  const answer = { request, text: `${state.statuses.get(attemptName(event)) ?? "no status"} ${event.body}` }
  call.read ??= answer
  judgeSame(call.read, answer, state)
}

const judgeSame = (first: Answer, second: Answer, state: ReplayState): void => {
  if (first.text === second.text) return
  breach(
    state,
    "copies of one call differ",
    `${requestName(first.request)} got ${first.text} and ${requestName(second.request)} got ${second.text}`
  )
}
