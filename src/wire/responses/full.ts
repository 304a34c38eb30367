import { SseEvent } from "../../domain/sse-event.ts"
import type { JsonObject } from "../json.ts"
import { interleave, joined } from "../lists.ts"
import { callItem, hostedItem } from "./call-item.ts"
import { checkEvent, checkFrames, type Frame, frame, numbered, retyped } from "./frame.ts"
import type { ItemPlace, OutputItem } from "./item.ts"
import { messageItem, refusalItem } from "./message-item.ts"
import type { ResponsesOptions } from "./options.ts"
import { reasoningItem } from "./reasoning-item.ts"
import { finalResponse, openResponse } from "./response-object.ts"
import type { ResponsesEnding, ResponsesPart, ResponsesTurn } from "./turn.ts"

/**
 * The events of a turn in profile full: created, in progress, the block of each item, and the terminal event.
 *
 * **Source** wire-formats.md, sections 2B.3 to 2B.9
 *
 * @since 0.1.0
 * @category encoding
 */
export const fullResponsesEvents = (turn: ResponsesTurn, options: ResponsesOptions): ReadonlyArray<SseEvent> => {
  const items = outputItems(turn, options)
  const frames = [...startFrames(turn, options), ...itemFrames(turn, items)]
  const { ending } = turn
  if (ending.kind !== "error") {
    const response = finalResponse(turn, items.map(itemOf), options)
    frames.push(frame(`response.${ending.kind}`, { response }))
  }
  const events = frames.map((waiting, sequence) => SseEvent.withEvent(waiting.event, numbered(waiting, sequence)))
  if (ending.kind === "error") events.push(errorEvent(ending, frames.length))
  if (turn.spliced !== null) events.splice(1, 0, SseEvent.withEvent(checkEvent, turn.spliced))
  if (options.doneMarker === true) events.push(SseEvent.data("[DONE]"))
  return events
}

/**
 * The JSON reply of a turn: the response object of its terminal event. It has one form: profile compact never answers
 * with JSON.
 *
 * **Source** wire-formats.md, section 2B.10
 *
 * @since 0.1.0
 * @category encoding
 */
export const responsesReplyBody = (turn: ResponsesTurn, options: ResponsesOptions): JsonObject =>
  finalResponse(turn, outputItems(turn, options).map(itemOf), options)

const itemOf = ({ item }: OutputItem): JsonObject => item

const startFrames = (turn: ResponsesTurn, options: ResponsesOptions): ReadonlyArray<Frame> => {
  const inProgress = frame("response.in_progress", { response: openResponse("in_progress", options) })
  if (!turn.queued) return [retyped(inProgress, "response.created"), inProgress]
  const queued = frame("response.queued", { response: openResponse("queued", options) })
  return [retyped(queued, "response.created"), queued, inProgress]
}

const outputItems = (turn: ResponsesTurn, options: ResponsesOptions): ReadonlyArray<OutputItem> =>
  turn.parts.map((part, outputIndex) => {
    const isOpen = turn.ending.kind !== "completed" && outputIndex === turn.parts.length - 1
    return outputItem(part, { outputIndex, status: isOpen ? "incomplete" : "completed", options })
  })

const outputItem = (part: ResponsesPart, place: ItemPlace): OutputItem => {
  switch (part.kind) {
    case "message":
      return messageItem(part, place)
    case "refusal":
      return refusalItem(part, place)
    case "reasoning":
      return reasoningItem(part, place)
    case "call":
    case "customCall":
      return callItem(part, place)
    case "hosted":
      return hostedItem(part, place)
  }
}

const itemFrames = (turn: ResponsesTurn, items: ReadonlyArray<OutputItem>): ReadonlyArray<Frame> => {
  if (turn.order === "interleaved") {
    return [
      ...items.flatMap(({ opening }) => opening),
      ...interleave(items.map(({ deltas }) => deltas)),
      ...items.flatMap(({ closing }) => closing)
    ]
  }
  const blocks = items.map(({ opening, deltas, closing }, index) => {
    if (index < items.length - 1) return [opening, deltas, closing]
    if (turn.ending.kind === "error") return [opening, deltas]
    return [opening, deltas, turn.checked ? checkFrames(turn.labels) : [], closing]
  })
  return joined(blocks.flat())
}

const errorEvent = (ending: Extract<ResponsesEnding, { readonly kind: "error" }>, sequence: number): SseEvent => {
  const payload =
    ending.shape === "nested"
      ? { type: "error", error: ending.body }
      : { type: "error", ...ending.body, sequence_number: sequence }
  return { event: ending.named ? "error" : null, data: JSON.stringify(payload) }
}
