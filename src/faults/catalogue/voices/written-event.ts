import { isRecord } from "../../../domain/json.ts"
import type { SseEvent } from "../../../domain/sse-event.ts"
import type { JsonObject } from "../../../wire/json.ts"

/**
 * The event at a place of a list that a builder wrote; negative places count from the end.
 *
 * **Fails** with a `RangeError` when there is none: a builder that writes no such event is broken
 *
 * @since 0.1.0
 * @category constructors
 */
export const eventAt = (events: ReadonlyArray<SseEvent>, at: number): SseEvent => {
  const event = events.at(at)
  if (event !== undefined) return event
  throw new RangeError(`no event at ${at}: the builder wrote ${events.length} events`)
}

/**
 * The event with a changed payload; one whose data is no JSON object stays as it is.
 *
 * @since 0.1.0
 * @category constructors
 */
export const rewritten = (event: SseEvent, change: (payload: JsonObject) => JsonObject): SseEvent => {
  if (event.data === "[DONE]") return event
  const payload: unknown = JSON.parse(event.data)
  return isRecord(payload) ? { ...event, data: JSON.stringify(change(payload)) } : event
}

/**
 * The object without its `usage`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const withoutUsage = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== "usage"))
