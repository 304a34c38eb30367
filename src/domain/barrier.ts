import { InvalidScript } from "./errors.ts"
import { describe, isRecord, member } from "./json.ts"
import type { ScriptedResponse } from "./scripted-response.ts"
import type { SseEvent } from "./sse-event.ts"
import { hasNoBody } from "./status.ts"

/**
 * Where copies wait: before the status line, after k events, before the event that says how the answer ended, or before
 * the last step of the response.
 *
 * **Source** DESIGN, section 4; wire-formats.md, section 1.9
 *
 * @since 0.1.0
 * @category barriers
 */
export type BarrierPosition = "head" | "semanticEnd" | "terminal" | { readonly afterEvent: number }

/**
 * A barrier of a plan. Its name is shared by all copies of the call; without one it is called after its position
 * (`terminal`, `afterEvent(2)`).
 *
 * @since 0.1.0
 * @category barriers
 */
export interface Barrier {
  readonly at: BarrierPosition
  readonly name?: string
}

/**
 * A barrier with its place: before the head, before the last step, or after this many events. `semanticEnd` is left open
 * only where the events are not known yet.
 */
export interface PlacedBarrier {
  readonly name: string
  readonly place: "head" | "terminal" | "semanticEnd" | number
}

/**
 * Finds the place of each barrier in a response.
 *
 * **Fails** with `InvalidScript` when the body has no such place or a name is used twice
 *
 * @since 0.1.0
 * @category barriers
 */
export const placeBarriers = (
  barriers: ReadonlyArray<Barrier>,
  response: ScriptedResponse
): ReadonlyArray<PlacedBarrier> => {
  const placed = barriers.map((barrier) => {
    checkBarrier(barrier)
    return { name: barrier.name ?? positionName(barrier.at), place: placeOf(barrier.at, response) }
  })
  const names = new Set<string>()
  for (const { name } of placed) {
    if (names.has(name)) throw new InvalidScript(`two barriers are called \`${name}\`; give each its own name`)
    names.add(name)
  }
  return placed
}

/** What the types promise, for callers that have none. */
const checkBarrier = (barrier: Barrier): void => {
  const at = isRecord(barrier) ? barrier["at"] : undefined
  if (at === "head" || at === "semanticEnd" || at === "terminal" || isRecord(at)) return
  throw new InvalidScript(
    `a barrier is ${describe(barrier)}; use { at: "terminal" }, "semanticEnd", "head" or { at: { afterEvent: k } }`
  )
}

const positionName = (at: BarrierPosition): string => (typeof at === "string" ? at : `afterEvent(${at.afterEvent})`)

const placeOf = (at: BarrierPosition, { status, body }: ScriptedResponse): PlacedBarrier["place"] => {
  if (at === "terminal" || at === "head") return at
  // Which events a fault has is known when it is known whom it answers; a place that it lacks is passed.
  if (body.kind === "fault") return at === "semanticEnd" ? at : afterEvent(at.afterEvent, Number.POSITIVE_INFINITY)
  if (hasNoBody(status)) {
    throw new InvalidScript(
      `status ${status} has no body and no position ${positionName(at)}; it can wait at \`head\` or \`terminal\``
    )
  }
  if (body.kind === "pieces" && typeof at !== "string") return afterEvent(at.afterEvent, body.pieces.length)
  if (body.kind !== "sse") {
    throw new InvalidScript(
      `a ${body.kind} body has no position ${positionName(at)}; it can wait at \`head\` or \`terminal\``
    )
  }
  return at === "semanticEnd" ? semanticEnd(body.events) : afterEvent(at.afterEvent, body.events.length)
}

const afterEvent = (count: number, events: number): number => {
  if (Number.isInteger(count) && count >= 0 && count < events) return count
  throw new InvalidScript(
    `no position afterEvent(${count}) in a stream of ${events} events; use 0 to ${events - 1}, or \`terminal\``
  )
}

const semanticEnd = (events: ReadonlyArray<SseEvent>): number => {
  const index = events.findIndex((event) => saysHowItEnded(event.data))
  if (index >= 0) return index
  throw new InvalidScript(
    "the events have no semantic end (a chunk with `finish_reason`, `response.completed`, `response.incomplete`, " +
      "`response.failed` or `message_delta`); use `terminal` or `{ afterEvent: k }`"
  )
}

const endingTypes: ReadonlyArray<unknown> = [
  "response.completed",
  "response.incomplete",
  "response.failed",
  "message_delta"
]

const saysHowItEnded = (data: string): boolean => {
  const payload = parseOrUndefined(data)
  if (endingTypes.includes(member(payload, "type"))) return true
  const choices = member(payload, "choices")
  return (
    Array.isArray(choices) && choices.some((choice) => isRecord(choice) && typeof choice["finish_reason"] === "string")
  )
}

const parseOrUndefined = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
