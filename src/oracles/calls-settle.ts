import { breach, firstBreach, type Judged, type Monitor } from "./monitor.ts"
import { callName, requestName, type SeenEvent } from "./run-event.ts"

interface Call {
  readonly since: number
  waitsFor: string
  isSettled: boolean
}

interface CallsState extends Judged {
  readonly calls: Map<string, Call>
  /** The request of the newest attempt of each call, once it has arrived. */
  readonly requests: Map<string, string>
}

/**
 * Every call settles, once, within `settlesWithinMs`. A call that does not names the request that it waits for.
 *
 * @since 0.1.0
 * @category oracles
 */
export const callsSettle = (options: { readonly settlesWithinMs?: number } = {}): Monitor<CallsState> => ({
  name: "calls-settle",
  init: () => ({ breach: undefined, calls: new Map(), requests: new Map() }),
  on(event, state) {
    note(event, state)
    return state
  },
  hot: ({ calls }) =>
    [...calls]
      .filter(([, { isSettled }]) => !isSettled)
      .map(([who, { waitsFor, since }]) => ({
        what: "a call has not settled",
        who,
        waitsFor,
        since,
        ...(options.settlesWithinMs === undefined ? {} : { deadlineMs: options.settlesWithinMs })
      })),
  fail: firstBreach
})

const note = (event: SeenEvent, state: CallsState): void => {
  if (!("call" in event)) return
  const name = callName(event)
  const call = state.calls.get(name)
  switch (event.type) {
    case "call.started":
      state.calls.set(name, { since: event.at, waitsFor: "its client, to send a request", isSettled: false })
      return
    case "call.settled":
      if (call?.isSettled === true) breach(state, "a call settled twice", `${name} settled twice`)
      if (call !== undefined) call.isSettled = true
      return
    case "attempt.sent":
      if (call !== undefined) call.waitsFor = `the server, to see attempt ${event.attempt} of ${name}`
      return
    case "attempt.arrived":
      if (call !== undefined) call.waitsFor = requestName(event.request)
      return
    case "answer.ended":
      if (call !== undefined) call.waitsFor = `its client, after attempt ${event.attempt} was over`
  }
}
