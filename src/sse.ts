/**
 * Public subpath `llm-understudy/sse`: the bytes of the three inference APIs, without a server. Every builder of `chat`,
 * `responses` and `messages` takes one options object and gives the events of a stream; `chatReply`, `responsesReply` and
 * `messagesReply` take the same objects and give the JSON reply of the same scenario.
 */
export { type LineEnding, SseEvent } from "./domain/sse-event.ts"
export { chat, chatReply } from "./wire/chat/chat.ts"
export { minimalChat } from "./wire/chat/minimal.ts"
export type { ErrorDetail } from "./wire/errors.ts"
export { errorBody } from "./wire/errors.ts"
export type { JsonObject } from "./wire/json.ts"
export { messages, messagesReply } from "./wire/messages/messages.ts"
export { responses, responsesReply } from "./wire/responses/responses.ts"
export type { Splitter } from "./wire/splitters.ts"
export {
  chatEcho,
  chatExact,
  codePoints,
  graphemes,
  responsesExact,
  single,
  trailingEcho,
  utf16
} from "./wire/splitters.ts"
export { encodeEvent, encodeEvents, keepAliveFrame } from "./wire/sse-frame.ts"
export type { EventReader } from "./wire/sse-reader.ts"
export { eventReader, readEvents } from "./wire/sse-reader.ts"
export type { TextAnswer } from "./wire/text-answer.ts"
export { textEvents, textReply } from "./wire/text-answer.ts"
export type { CallOrder, ToolCall } from "./wire/tool-call.ts"
