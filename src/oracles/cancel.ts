import { breach, firstBreach, type Judged, type Monitor } from "./monitor.ts"
import { callName, type SeenEvent } from "./run-event.ts"

interface Call {
  abortedAt: number | null
  isSettled: boolean
}

interface CancelState extends Judged {
  readonly calls: Map<string, Call>
}

/**
 * An aborted call settles within `settlesWithinMs`, with no answer that came later than the abort, and without a tool that was
 * executed later; after that nothing of it is seen any more: no request, no event, no tool.
 *
 * @since 0.1.0
 * @category oracles
 */
export const cancelled = ({
  settlesWithinMs = 0
}: {
  readonly settlesWithinMs?: number
} = {}): Monitor<CancelState> => ({
  name: "cancel",
  init: () => ({ breach: undefined, calls: new Map() }),
  on(event, state) {
    note(event, state)
    return state
  },
  hot: ({ calls }) =>
    [...calls].flatMap(([who, { abortedAt, isSettled }]) => {
      if (abortedAt === null || isSettled) return []
      const waitsFor = "its client, to settle it after the abort"
      return [{ what: "an aborted call has not settled", who, waitsFor, since: abortedAt, deadlineMs: settlesWithinMs }]
    }),
  fail: firstBreach
})

/** How one speaks of what an aborted call still does. */
const effects = {
  "attempt.sent": "a request",
  "stream.event": "an event",
  "tool.executed": "a tool"
} as const

const note = (event: SeenEvent, state: CancelState): void => {
  const call = "call" in event ? state.calls.get(callName(event)) : undefined
  switch (event.type) {
    case "call.started":
      state.calls.set(callName(event), { abortedAt: null, isSettled: false })
      return
    case "call.aborted":
      // Nobody can cancel what is over.
      if (call?.isSettled === false) call.abortedAt ??= event.at
      return
    case "call.settled":
      if (call === undefined || call.isSettled) return
      call.isSettled = true
      if (event.as === "completed" && call.abortedAt !== null && event.at > call.abortedAt)
        breach(
          state,
          "an answer after the abort",
          `${callName(event)} was aborted at ${call.abortedAt} ms and completed at ${event.at} ms`
        )
      return
    case "tool.executed":
      if (call !== undefined && !call.isSettled && call.abortedAt !== null && event.at > call.abortedAt)
        breach(
          state,
          "a tool after the abort",
          `${callName(event)} was aborted at ${call.abortedAt} ms and executed tool ${event.tool} at ${event.at} ms`
        )
      judgeLate(event, call, state)
      return
    case "attempt.sent":
    case "stream.event":
      judgeLate(event, call, state)
  }
}

const judgeLate = (
  event: Extract<SeenEvent, { readonly type: keyof typeof effects }>,
  call: Call | undefined,
  state: CancelState
): void => {
  if (call?.isSettled !== true || call.abortedAt === null) return
  breach(
    state,
    `${effects[event.type]} after the cancel was acknowledged`,
    `${callName(event)} was cancelled, and ${effects[event.type]} of it was seen at ${event.at} ms`
  )
}
