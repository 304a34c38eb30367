import { SseEvent } from "../../domain/sse-event.ts"
import type { JsonObject } from "../json.ts"
import { checkEvent, checkFrames, deltaFrames, type Frame, frame, membersOf, numbered } from "./frame.ts"
import type { ResponsesOptions } from "./options.ts"
import type { CorePart, ResponsesTurn } from "./turn.ts"
import { compactUsage } from "./usage.ts"

/**
 * The byte-frozen events of profile compact: created, the deltas of each item, completed, `[DONE]`. Frames of the
 * repetition detector are the only ones with a name, and number themselves without moving the count.
 *
 * **Source** wire-formats.md, sections 2B.3 to 2B.8
 *
 * @since 0.1.0
 * @category encoding
 */
export const compactResponsesEvents = (
  turn: ResponsesTurn<CorePart>,
  options: ResponsesOptions
): ReadonlyArray<SseEvent> => {
  const started = [frame("response.created", { response: openResponse(options) }), ...turn.parts.flatMap(partDeltas)]
  const events = started.map((waiting, sequence) => SseEvent.data(numbered(waiting, sequence)))
  const checks = turn.checked ? checkFrames(turn.labels) : []
  const completed = frame("response.completed", { response: finalResponse(turn, options) })
  events.push(
    ...checks.map((check, index) => SseEvent.withEvent(checkEvent, numbered(check, started.length + index))),
    SseEvent.data(numbered(completed, started.length)),
    SseEvent.data("[DONE]")
  )
  if (turn.spliced !== null) events.splice(1, 0, SseEvent.withEvent(checkEvent, turn.spliced))
  return events
}

const openResponse = (options: ResponsesOptions): JsonObject => ({
  id: options.id ?? "resp_test",
  object: "response",
  created_at: options.created ?? 1234567890,
  model: options.model,
  status: "in_progress",
  output: []
})

const finalResponse = (turn: ResponsesTurn<CorePart>, options: ResponsesOptions): JsonObject => ({
  ...openResponse(options),
  status: "completed",
  output: turn.parts.map(finalItem),
  usage: compactUsage(turn.parts, options),
  ...(turn.labels.length === 0 ? {} : { doom_loop_check: { triggers: turn.labels } })
})

const reasoningId = "reasoning_item_1"

const partDeltas = (part: CorePart, outputIndex: number): ReadonlyArray<Frame> => {
  const referenceFrom = (itemId: string) => membersOf({ item_id: itemId, output_index: outputIndex })
  switch (part.kind) {
    case "message": {
      const reference = `${referenceFrom("item_test")},"content_index":0`
      return deltaFrames("response.output_text.delta", { reference, pieces: part.text.pieces })
    }
    case "reasoning": {
      const reference = `${referenceFrom(reasoningId)},"summary_index":0`
      const pieces = part.summary.flatMap((summary) => summary.pieces)
      return deltaFrames("response.reasoning_summary_text.delta", { reference, pieces })
    }
    case "call":
    case "customCall": {
      return deltaFrames("response.function_call_arguments.delta", {
        reference: referenceFrom(part.callId),
        pieces: [part.arguments.text]
      })
    }
  }
}

const finalItem = (part: CorePart): JsonObject => {
  switch (part.kind) {
    case "message":
      return {
        type: "message",
        id: "msg_test",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: part.text.text, annotations: [] }]
      }
    case "reasoning":
      return {
        type: "reasoning",
        id: reasoningId,
        summary: part.summary.map(({ text }) => ({ type: "summary_text", text })),
        status: "completed"
      }
    case "call":
    case "customCall":
      return { type: "function_call", call_id: part.callId, name: part.name, arguments: part.arguments.text }
  }
}
