import type { SseEvent } from "../../domain/sse-event.ts"
import type { JsonObject } from "../json.ts"
import { compactTextEvents } from "./compact.ts"
import { fullMessagesEvents, messagesReplyBody } from "./full.ts"
import type { MessagesOptions } from "./options.ts"
import { type MessagesTextInput, messagesTurns } from "./scenarios.ts"
import type { MessagesTurn } from "./turn.ts"

/**
 * Messages streams: one builder a scenario, each from one options object to the list of events. Only `text` exists in
 * both profiles; all others are profile full.
 *
 * **Source** wire-formats.md, sections 2C and 2G
 *
 * @since 0.1.0
 * @category constructors
 */
export const messages = {
  text: (input: MessagesTextInput): ReadonlyArray<SseEvent> =>
    input.profile === "compact"
      ? compactTextEvents(input.text, input)
      : fullMessagesEvents(messagesTurns.text(input), input),
  empty: streamed(messagesTurns.empty),
  thinking: streamed(messagesTurns.thinking),
  thinkingText: streamed(messagesTurns.thinkingText),
  thinkThenCall: streamed(messagesTurns.thinkThenCall),
  call: streamed(messagesTurns.call),
  calls: streamed(messagesTurns.calls),
  textCalls: streamed(messagesTurns.textCalls),
  redactedThinking: streamed(messagesTurns.redactedThinking),
  citations: streamed(messagesTurns.citations),
  webSearch: streamed(messagesTurns.webSearch),
  stopSequence: streamed(messagesTurns.stopSequence),
  refusal: streamed(messagesTurns.refusal),
  pauseTurn: streamed(messagesTurns.pauseTurn),
  error: streamed(messagesTurns.error)
} as const

/**
 * The JSON replies of the same scenarios, from the same inputs.
 *
 * **Source** wire-formats.md, section 2C.8
 *
 * @since 0.1.0
 * @category constructors
 */
export const messagesReply = {
  text: replied(messagesTurns.text),
  empty: replied(messagesTurns.empty),
  thinking: replied(messagesTurns.thinking),
  thinkingText: replied(messagesTurns.thinkingText),
  thinkThenCall: replied(messagesTurns.thinkThenCall),
  call: replied(messagesTurns.call),
  calls: replied(messagesTurns.calls),
  textCalls: replied(messagesTurns.textCalls),
  redactedThinking: replied(messagesTurns.redactedThinking),
  citations: replied(messagesTurns.citations),
  webSearch: replied(messagesTurns.webSearch),
  stopSequence: replied(messagesTurns.stopSequence),
  refusal: replied(messagesTurns.refusal),
  pauseTurn: replied(messagesTurns.pauseTurn)
} as const

function streamed<I extends MessagesOptions>(describe: (input: I) => MessagesTurn) {
  return (input: I): ReadonlyArray<SseEvent> => fullMessagesEvents(describe(input), input)
}

function replied<I extends MessagesOptions>(describe: (input: I) => MessagesTurn) {
  return (input: I): JsonObject => messagesReplyBody(describe(input), input)
}
