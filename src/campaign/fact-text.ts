import { callName, requestName, type SeenEvent } from "../oracles/run-event.ts"

/** What a person wants to read of an event of a run; `null` of those that say nothing that others don't. */
export const factText = (event: SeenEvent): string | null => {
  switch (event.type) {
    case "call.started":
      return `${callName(event)} begins`
    case "call.aborted":
      return `${callName(event)} is aborted`
    case "call.settled":
      return `${callName(event)} ${event.as}`
    case "attempt.sent":
      return `${callName(event)} sends attempt ${event.attempt}`
    case "attempt.arrived":
      return `it is ${requestName(event.request)}`
    case "attempt.answered":
      return `attempt ${event.attempt} of ${callName(event)} is answered ${event.status}`
    case "answer.ended":
      return event.how === "cut" ? `attempt ${event.attempt} of ${callName(event)} fails` : null
    case "tool.executed":
      return `tool ${event.tool} for ${callName(event)}`
    case "decision":
      return `${requestName(event.request)} gets ${event.source}${event.expectation === null ? "" : ` "${event.expectation}"`}`
    case "fault":
      return `${requestName(event.request)} gets ${event.behavior}`
    case "phase":
      return `"${event.expectation}" is ${event.phase}`
    case "ended":
      return `${requestName(event.request)} ended: ${event.outcome}`
    case "told":
      return event.what
    case "faults.stopped":
      return "faults stop"
    default:
      return null
  }
}
