import { clip } from "../domain/clip.ts"
import { attemptWords } from "../domain/known-attempt.ts"
import type { TraceEvent } from "../domain/trace-event.ts"

/** Whether a log shows an event; the steps of the charts are for traces. */
export const isLogged = (event: TraceEvent): boolean => event.type !== "step"

/**
 * An event as a line for people: seconds of the server's clock, and what happened.
 *
 * @since 0.1.0
 * @category encoding
 */
export const eventLine = (event: TraceEvent): string =>
  `${(event.at / 1_000).toFixed(3).padStart(9)}  ${telling(event)}`

const telling = (event: TraceEvent): string => {
  switch (event.type) {
    case "request":
      return `#${event.request} ${event.method} ${shown(event.path)}`
    case "refused":
      return `refused ${event.method} ${shown(event.path)}: ${event.status}`
    case "decision":
      return `#${event.request} ${event.kind} ${event.endpoint}, ${origin(event)}`
    case "conversation": {
      const { request, session, sessionRule, turn, attempt, retryOf, because } = event
      const tries = attempt === null ? "" : `, ${attemptWords({ attempt, retryOf, because })}`
      return `#${request} session ${JSON.stringify(shown(session))} (by ${sessionRule}), turn ${turn}${tries}`
    }
    case "expectation":
      return `expectation ${JSON.stringify(event.name)} waits for its request`
    case "phase":
      return `expectation ${JSON.stringify(event.expectation)} is ${event.phase}`
    case "barrier.reached":
      return `#${event.request} stands at barrier ${JSON.stringify(event.barrier)} of ${JSON.stringify(event.expectation)}`
    case "barrier.released": {
      const which = event.barrier === null ? "all barriers" : `barrier ${JSON.stringify(event.barrier)}`
      return `${which} of ${JSON.stringify(event.expectation)} released`
    }
    case "fault": {
      const { request, entry, behavior, lane, laneAttempt } = event
      const drawn = entry === behavior ? behavior : `${behavior} (${entry})`
      return `#${request} fault ${drawn}, lane ${JSON.stringify(shown(lane))}, attempt ${laneAttempt}`
    }
    case "settled":
      return `#${event.request} ${event.as}`
    case "ended":
      return `#${event.request} ${event.outcome}: ${event.bytes} bytes, ${event.events} events`
    case "closed":
      return event.blocked.length === 0 ? "closed" : `closed, cut ${event.blocked.length} responses`
    case "step":
      return `${event.chart} ${event.actor}: ${event.event} -> ${event.state}${event.handled ? "" : " (ignored)"}`
  }
}

/** Where the answer comes from. */
const origin = ({ source, expectation, miss }: Extract<TraceEvent, { readonly type: "decision" }>): string => {
  if (source === "held") return "held until the test answers"
  const why = miss === null ? "" : `: ${clip(sentence(miss), missLengthMax)}`
  if (source === "unauthorized") {
    return `refused: it has no valid key${miss === null ? "" : `, and nothing is scripted for it${why}`}`
  }
  if (source === "unexpected") return `refused: nothing is scripted for it${why}`
  return `answered by ${source}${expectation === null ? "" : ` ${JSON.stringify(expectation)}`}`
}

/** An explanation in a line is cut at so many characters. */
const missLengthMax = 400

/** The same for words that we and the test wrote, with what came from the client between them. */
const sentence = (words: string): string => words.replace(/[^ -~…]/g, "?")

/** Paths come from clients; what a terminal could take for a command does not reach it. */
const shown = (path: string): string => path.replace(/[^!-~]/g, "?")
