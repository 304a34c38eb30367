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
      const { request, session, sessionRule, turn, attempt } = event
      return `#${request} session ${JSON.stringify(shown(session))} (by ${sessionRule}), turn ${turn}, attempt ${attempt}`
    }
    case "expectation":
      return `expectation ${JSON.stringify(event.name)} waits for its request`
    case "phase":
      return `expectation ${JSON.stringify(event.expectation)} is ${event.phase}`
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
const origin = ({ source, expectation }: Extract<TraceEvent, { readonly type: "decision" }>): string => {
  if (source === "held") return "held until the test answers"
  if (source === "unauthorized") return "refused: it has no valid key"
  if (source === "unexpected") return "refused: nothing is scripted for it"
  return `answered by ${source}${expectation === null ? "" : ` ${JSON.stringify(expectation)}`}`
}

/** Paths come from clients; what a terminal could take for a command does not reach it. */
const shown = (path: string): string => path.replace(/[^!-~]/g, "?")
