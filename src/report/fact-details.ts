import type { TraceFact } from "../domain/trace-event.ts"
import type { StepDetail } from "./run-trace.ts"

/** A fact of a server's trace, and the step of the kernel during which it was recorded. */
export interface FactAtStep {
  readonly step: number
  readonly fact: TraceFact
}

const noteLengthMax = 400

/**
 * What servers recorded while a run went on, as details of its steps: the states that their charts went to, and the rest as a
 * note.
 *
 * @since 0.1.0
 * @category traces
 */
export const factDetails = (facts: ReadonlyArray<FactAtStep>): ReadonlyMap<number, StepDetail> => {
  const details = new Map<number, StepDetail>()
  for (const { step, fact } of facts) {
    const { note, state } = details.get(step) ?? {}
    const said = sayFact(fact)
    const seen = fact.type === "step" && fact.handled ? `${fact.chart} ${fact.actor}: ${fact.state}` : ""
    const notes = joined(note, said)
    const states = joined(state, seen)
    details.set(step, { ...(notes === "" ? {} : { note: notes }), ...(states === "" ? {} : { state: states }) })
  }
  return details
}

const joined = (before = "", after: string): string => {
  if (after === "" || before.length > noteLengthMax) return before
  return before === "" ? after : `${before}; ${after}`
}

const sayFact = (fact: TraceFact): string => {
  switch (fact.type) {
    case "step":
      return fact.handled ? "" : `${fact.chart} ${fact.actor} has no use for ${fact.event} in ${fact.state}`
    case "request":
      return `request ${fact.request}: ${fact.method} ${fact.path}`
    case "refused":
      return `refused ${fact.method} ${fact.path} with ${fact.status}`
    case "decision":
      return `request ${fact.request} is answered by ${fact.source}${named(fact.expectation)}${why(fact.miss)}`
    case "conversation":
      return `request ${fact.request} is turn ${fact.turn} of ${fact.session}${again(fact.retryOf)}`
    case "expectation":
      return `expectation ${fact.name} is there`
    case "phase":
      return `expectation ${fact.expectation} is ${fact.phase}`
    case "fault":
      return `request ${fact.request} meets the fault ${fact.behavior} of lane ${fact.lane}`
    case "settled":
      return `request ${fact.request} is ${fact.as}`
    case "ended":
      return `request ${fact.request} ended ${fact.outcome} after ${fact.bytes} bytes`
    case "closed":
      return fact.blocked.length === 0 ? "closed" : `closed; blocked were ${fact.blocked.join(", ")}`
  }
}

const named = (expectation: string | null): string => (expectation === null ? "" : ` ${expectation}`)
const why = (miss: string | null): string => (miss === null ? "" : ` (${miss})`)
const again = (retryOf: number | null): string => (retryOf === null ? "" : `, again after request ${retryOf}`)
