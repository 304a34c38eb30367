import { SseEvent } from "../../domain/sse-event.ts"
import type { JsonObject } from "../json.ts"
import { joined } from "../lists.ts"
import type { MessagesOptions } from "./options.ts"
import type { MessagesBlock, MessagesTurn } from "./turn.ts"
import { deltaUsage, messageUsage, totalOutputTokens } from "./usage.ts"

/**
 * The events of a turn in profile full: the start of the message, its blocks, one ping after the first block has started,
 * and the end of the message.
 *
 * **Source** wire-formats.md, sections 2C.3 to 2C.7
 *
 * @since 0.1.0
 * @category encoding
 */
export const fullMessagesEvents = (turn: MessagesTurn, options: MessagesOptions): ReadonlyArray<SseEvent> => {
  const { error } = turn
  if (error !== null && turn.blocks.length === 0) return [errorEvent(error)]
  const start = event({ type: "message_start", message: openMessage(options) })
  const events = joined([[start], ...turn.blocks.map(blockEvents)])
  if (error !== null) return [...events.slice(0, -1), errorEvent(error)]
  const delta = {
    stop_reason: turn.stopReason,
    stop_sequence: turn.stopSequence,
    stop_details: turn.stopDetails,
    container: null
  }
  return [
    ...events,
    event({ type: "message_delta", delta, usage: deltaUsage(turn, options) }),
    event({ type: "message_stop" })
  ]
}

/**
 * The JSON reply of a turn. It has one form: profile compact never answers with JSON.
 *
 * **Source** wire-formats.md, section 2C.8
 *
 * @since 0.1.0
 * @category encoding
 */
export const messagesReplyBody = (turn: MessagesTurn, options: MessagesOptions): JsonObject =>
  message(options, {
    content: turn.blocks.map((block) => block.final),
    stopReason: turn.stopReason,
    stopSequence: turn.stopSequence,
    stopDetails: turn.stopDetails,
    outputTokens: totalOutputTokens(turn, options),
    serverToolUse: turn.serverToolUse
  })

interface MessageState {
  readonly content: ReadonlyArray<JsonObject>
  readonly stopReason: string | null
  readonly stopSequence: string | null
  readonly stopDetails: JsonObject | null
  readonly outputTokens: number
  readonly serverToolUse: JsonObject | null
}

const openMessage = (options: MessagesOptions): JsonObject =>
  message(options, {
    content: [],
    stopReason: null,
    stopSequence: null,
    stopDetails: null,
    outputTokens: options.usage?.startOutputTokens ?? 1,
    serverToolUse: null
  })

const message = (options: MessagesOptions, state: MessageState): JsonObject => ({
  id: options.id ?? "msg_mock",
  type: "message",
  role: "assistant",
  model: options.model,
  content: state.content,
  stop_reason: state.stopReason,
  stop_sequence: state.stopSequence,
  stop_details: state.stopDetails,
  container: null,
  diagnostics: null,
  usage: messageUsage(options, state)
})

const blockEvents = (block: MessagesBlock, index: number): ReadonlyArray<SseEvent> => {
  const prefix = `{"type":"content_block_delta","index":${index},"delta":`
  return [
    event({ type: "content_block_start", index, content_block: block.start }),
    ...(index === 0 ? [event({ type: "ping" })] : []),
    ...block.deltas.map((delta) => SseEvent.withEvent("content_block_delta", `${prefix}${delta}}`)),
    event({ type: "content_block_stop", index })
  ]
}

const errorEvent = (body: JsonObject): SseEvent => SseEvent.withEvent("error", JSON.stringify(body))

const event = (payload: JsonObject & { readonly type: string }): SseEvent =>
  SseEvent.withEvent(payload.type, JSON.stringify(payload))
