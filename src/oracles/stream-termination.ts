import { breach, firstBreach, type Judged, type Monitor } from "./monitor.ts"
import { attemptName, callName, type SeenEvent } from "./run-event.ts"

interface Stream {
  readonly name: string
  terminals: number
  end: "end" | "cut" | "left" | null
}

interface Call {
  isAborted: boolean
  /** Attempts that have no end yet. */
  readonly open: Set<number>
  /** The newest attempt, and those that were under way beside it: whichever came first may be the answer. */
  newest: Array<{ readonly attempt: number; stream: Stream | null; isOver: boolean }>
}

interface TerminationState extends Judged {
  readonly streams: Map<string, Stream>
  readonly calls: Map<string, Call>
}

/**
 * The last event of a stream comes once and nothing after it, and no event comes after the end of the body. A call whose stream
 * was cut, or ended without its last event, does not complete; what an aborted call gives is no answer, and who leaves a stream
 * knows what he does.
 *
 * @since 0.1.0
 * @category oracles
 */
export const streamTermination = (): Monitor<TerminationState> => ({
  name: "stream-termination",
  init: () => ({ breach: undefined, streams: new Map(), calls: new Map() }),
  on(event, state) {
    note(event, state)
    return state
  },
  fail: firstBreach
})

const callOf = (name: string, { calls }: TerminationState): Call => {
  const known = calls.get(name)
  if (known !== undefined) return known
  const call: Call = { isAborted: false, open: new Set(), newest: [] }
  calls.set(name, call)
  return call
}

const note = (event: SeenEvent, state: TerminationState): void => {
  switch (event.type) {
    case "call.started":
      state.calls.delete(callName(event))
      return
    case "call.aborted":
      callOf(callName(event), state).isAborted = true
      return
    case "attempt.sent": {
      const call = callOf(callName(event), state)
      if (call.open.size === 0) call.newest = []
      call.open.add(event.attempt)
      call.newest.push({ attempt: event.attempt, stream: null, isOver: false })
      return
    }
    case "attempt.answered": {
      if (!event.isStream || event.status >= 400) return
      const stream: Stream = { name: attemptName(event), terminals: 0, end: null }
      state.streams.set(stream.name, stream)
      const own = callOf(callName(event), state).newest.find(({ attempt }) => attempt === event.attempt)
      if (own !== undefined) own.stream = stream
      return
    }
    case "stream.event":
      noteEvent(event, state)
      return
    case "answer.ended": {
      const call = callOf(callName(event), state)
      call.open.delete(event.attempt)
      const own = call.newest.find(({ attempt }) => attempt === event.attempt)
      if (own !== undefined) own.isOver = event.how === "end"
      const stream = state.streams.get(attemptName(event))
      if (stream !== undefined) stream.end ??= event.how
      return
    }
    case "call.settled":
      if (event.as === "completed") judgeCall(callName(event), state)
  }
}

const noteEvent = (event: Extract<SeenEvent, { readonly type: "stream.event" }>, state: TerminationState): void => {
  const stream = state.streams.get(attemptName(event))
  if (stream === undefined) return
  if (stream.end !== null)
    breach(state, "an event after the end", `${stream.name} showed an event after its body was over`)
  else if (stream.terminals > 0)
    breach(
      state,
      event.isTerminal ? "two last events" : "an event after the last",
      `${stream.name} showed ${event.isTerminal ? "a second last event" : "an event after its last"}: ${event.text}`
    )
  if (event.isTerminal) stream.terminals++
}

const judgeCall = (name: string, state: TerminationState): void => {
  const call = state.calls.get(name)
  if (call === undefined || call.isAborted) return
  const streams = call.newest.flatMap(({ stream }) => (stream === null ? [] : [stream]))
  const isAnswered =
    streams.some(({ terminals, end }) => terminals > 0 || end === "left") ||
    call.newest.some(({ stream, isOver }) => stream === null && isOver)
  const [first] = streams
  if (isAnswered || first === undefined) return
  const how = first.end === null ? "had not ended" : first.end === "cut" ? "was cut" : "ended early"
  breach(
    state,
    "a truncated stream taken for complete",
    `${name} completed, and the stream of ${first.name} ${how}, without its last event`
  )
}
