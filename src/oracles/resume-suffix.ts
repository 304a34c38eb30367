import { breach, firstBreach, type Judged, type Monitor } from "./monitor.ts"
import { callName, type RunEvent, type SeenEvent } from "./run-event.ts"

interface Stream {
  full: ReadonlyArray<string> | null
  /** The place of the event that has to come next. */
  next: number
}

interface ResumeState extends Judged {
  readonly streams: Map<string, Stream>
}

/**
 * A stream that is resumed goes on where it stopped: no event twice, none lost, in order, each with the bytes that the full
 * stream has there (where a `stream.full` says so). An attempt that does not resume begins at its first event.
 *
 * @since 0.1.0
 * @category oracles
 */
export const resumeSuffix = (): Monitor<ResumeState> => ({
  name: "resume",
  init: () => ({ breach: undefined, streams: new Map() }),
  on(event, state) {
    note(event, state)
    return state
  },
  fail: firstBreach
})

const streamOf = (event: Extract<RunEvent, { readonly call: string }>, { streams }: ResumeState): Stream => {
  const known = streams.get(callName(event))
  if (known !== undefined) return known
  const stream: Stream = { full: null, next: 0 }
  streams.set(callName(event), stream)
  return stream
}

const note = (event: SeenEvent, state: ResumeState): void => {
  switch (event.type) {
    case "call.started":
      state.streams.delete(callName(event))
      return
    case "stream.full":
      streamOf(event, state).full = event.texts
      return
    case "stream.resumed": {
      const stream = streamOf(event, state)
      if (event.after === stream.next - 1) return
      breach(
        state,
        "resumed from the wrong place",
        `${callName(event)} resumed after event ${event.after}, and had seen ${stream.next} events`
      )
      stream.next = event.after + 1
      return
    }
    case "stream.event":
      if (event.position !== null) judgeEvent(event, event.position, state)
  }
}

const judgeEvent = (
  event: Extract<RunEvent, { readonly type: "stream.event" }>,
  position: number,
  state: ResumeState
): void => {
  const name = callName(event)
  const stream = streamOf(event, state)
  const { full, next } = stream
  stream.next = position + 1
  const place = `${name} showed event ${position}`
  if (position < next) breach(state, "an event came twice", `${place} again`)
  if (position > next) breach(state, "an event was lost", `${place} when event ${next} was next`)
  if (full === null) return
  if (event.text !== full[position])
    breach(
      state,
      "bytes differ from the full stream",
      `${place} as ${JSON.stringify(event.text)}, and the full stream has ${JSON.stringify(full[position])}`
    )
  if (event.isTerminal && position + 1 < full.length)
    breach(state, "the end came before all events", `${place} as its last, and the full stream has ${full.length}`)
}
