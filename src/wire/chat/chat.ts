import type { WireProfile } from "../../domain/endpoint.ts"
import type { SseEvent } from "../../domain/sse-event.ts"
import type { JsonObject } from "../json.ts"
import { compactChatEvents } from "./compact.ts"
import { fullChatEvents } from "./full.ts"
import type { ChatOptions } from "./options.ts"
import { chatReplyBody } from "./reply.ts"
import { chatTurns } from "./scenarios.ts"
import type { ChatTurn } from "./turn.ts"

/**
 * Chat Completions streams: one builder a scenario, each from one options object to the list of events, `[DONE]`
 * included. Builders whose input has a `profile` exist in both profiles; all others are profile full.
 *
 * **Source** wire-formats.md, sections 2A and 2G
 *
 * @since 0.1.0
 * @category constructors
 */
export const chat = {
  text: profiled(chatTurns.text),
  reasoning: streamed(chatTurns.reasoning),
  reasoningText: streamed(chatTurns.reasoningText),
  call: streamed(chatTurns.call),
  customCall: streamed(chatTurns.customCall),
  calls: streamed(chatTurns.calls),
  textCalls: streamed(chatTurns.textCalls),
  thinkThenCall: profiled(chatTurns.thinkThenCall),
  refusal: streamed(chatTurns.refusal),
  audio: streamed(chatTurns.audio),
  choices: streamed(chatTurns.choices),
  error: streamed(chatTurns.error)
} as const

/**
 * The JSON replies of the same scenarios, from the same inputs.
 *
 * **Source** wire-formats.md, section 2A.8
 *
 * @since 0.1.0
 * @category constructors
 */
export const chatReply = {
  text: replied(chatTurns.text),
  reasoning: replied(chatTurns.reasoning),
  reasoningText: replied(chatTurns.reasoningText),
  call: replied(chatTurns.call),
  customCall: replied(chatTurns.customCall),
  calls: replied(chatTurns.calls),
  textCalls: replied(chatTurns.textCalls),
  thinkThenCall: replied(chatTurns.thinkThenCall),
  refusal: replied(chatTurns.refusal),
  audio: replied(chatTurns.audio),
  choices: replied(chatTurns.choices)
} as const

function streamed<I extends ChatOptions>(describe: (input: I) => ChatTurn) {
  return (input: I): ReadonlyArray<SseEvent> => fullChatEvents(describe(input), input)
}

function profiled<I extends ChatOptions & { readonly profile?: WireProfile }>(describe: (input: I) => ChatTurn) {
  return (input: I): ReadonlyArray<SseEvent> =>
    input.profile === "compact" ? compactChatEvents(describe(input), input) : fullChatEvents(describe(input), input)
}

function replied<I extends ChatOptions>(describe: (input: I) => ChatTurn) {
  return (input: I): JsonObject => chatReplyBody(describe(input), input)
}
