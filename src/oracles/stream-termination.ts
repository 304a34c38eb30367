import { breach, firstBreach, type Judged, type Monitor } from "./monitor.ts"
import { attemptName, callName, type SeenEvent } from "./run-event.ts"

interface Stream {
  terminals: number
  end: "end" | "cut" | null
}

interface TerminationState extends Judged {
  readonly streams: Map<string, Stream>
  /** The newest attempt of each call that was answered, if its answer was a stream. */
  readonly newest: Map<string, string>
}

/**
 * The last event of a stream comes once and nothing after it, and no event comes after the end of the body. A call whose stream
 * was cut, or ended without its last event, does not complete.
 *
 * @since 0.1.0
 * @category oracles
 */
export const streamTermination = (): Monitor<TerminationState> => ({
  name: "stream-termination",
  init: () => ({ breach: undefined, streams: new Map(), newest: new Map() }),
  on(event, state) {
    note(event, state)
    return state
  },
  fail: firstBreach
})

const note = (event: SeenEvent, state: TerminationState): void => {
  switch (event.type) {
    case "call.started":
    case "attempt.sent":
      state.newest.delete(callName(event))
      return
    case "attempt.answered":
      if (!event.isStream || event.status >= 400) return
      state.streams.set(attemptName(event), { terminals: 0, end: null })
      state.newest.set(callName(event), attemptName(event))
      return
    case "stream.event": {
      const name = attemptName(event)
      const stream = state.streams.get(name)
      if (stream === undefined) return
      if (stream.end !== null)
        breach(state, "an event after the end", `${name} showed an event after its body was over`)
      else if (stream.terminals > 0)
        breach(
          state,
          event.isTerminal ? "two last events" : "an event after the last",
          `${name} showed ${event.isTerminal ? "a second last event" : "an event after its last"}: ${event.text}`
        )
      if (event.isTerminal) stream.terminals++
      return
    }
    case "answer.ended": {
      const stream = state.streams.get(attemptName(event))
      if (stream !== undefined) stream.end ??= event.how
      return
    }
    case "call.settled": {
      const name = state.newest.get(callName(event))
      const stream = name === undefined ? undefined : state.streams.get(name)
      if (stream === undefined || event.as !== "completed" || stream.terminals > 0) return
      const how = stream.end === null ? "had not ended" : stream.end === "cut" ? "was cut" : "ended early"
      breach(
        state,
        "a truncated stream taken for complete",
        `${callName(event)} completed, and the stream of ${name} ${how}, without its last event`
      )
    }
  }
}
