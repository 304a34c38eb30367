import type { WireProfile } from "../../domain/endpoint.ts"
import { fragments } from "../fragments.ts"
import type { JsonObject } from "../json.ts"
import { chatExact, trailingEcho } from "../splitters.ts"
import { argumentsOf, type CallOrder, type ToolCall } from "../tool-call.ts"
import type { ChatOptions } from "./options.ts"
import type { ChatCallsPart, ChatPart, ChatTextPart, ChatTurn } from "./turn.ts"

/**
 * Text. `logprobs` gives the log-probability of each piece (profile full).
 *
 * @since 0.1.0
 * @category models
 */
export interface ChatTextInput extends ChatOptions {
  readonly text: string
  readonly profile?: WireProfile
  readonly logprobs?: (piece: string) => number
}

/** @since 0.1.0 @category models */
export interface ChatReasoningInput extends ChatOptions {
  readonly reasoning: string
}

/** @since 0.1.0 @category models */
export interface ChatReasoningTextInput extends ChatReasoningInput {
  readonly text: string
}

/** @since 0.1.0 @category models */
export interface ChatCallInput extends ChatOptions, ToolCall {}

/** @since 0.1.0 @category models */
export interface ChatCallsInput extends ChatOptions {
  readonly calls: ReadonlyArray<ToolCall>
  readonly order?: CallOrder
}

/** @since 0.1.0 @category models */
export interface ChatTextCallsInput extends ChatCallsInput {
  readonly text: string
}

/** @since 0.1.0 @category models */
export interface ChatThinkThenCallInput extends ChatReasoningInput, ToolCall {
  readonly profile?: WireProfile
}

/** @since 0.1.0 @category models */
export interface ChatRefusalInput extends ChatOptions {
  readonly text: string
}

/** @since 0.1.0 @category models */
export interface ChatChoicesInput extends ChatOptions {
  readonly texts: ReadonlyArray<string>
  readonly order?: CallOrder
}

/** @since 0.1.0 @category models */
export interface ChatAudioInput extends ChatOptions {
  readonly data: string
  readonly transcript: string
  readonly audioId?: string
  readonly expiresAt?: number
}

/**
 * An error after the pieces of `text` (none: as the first frame). `named` adds an `event: error` line.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChatErrorInput extends ChatOptions {
  readonly message: string
  readonly text?: string
  readonly type?: string
  readonly code?: string | null
  readonly param?: string | null
  readonly named?: boolean
}

/**
 * What each named scenario says, as data; the chunks and the JSON reply are both made from it.
 *
 * **Source** wire-formats.md, sections 2A.2 to 2A.10 and 2G
 *
 * @since 0.1.0
 * @category constructors
 */
export const chatTurns = {
  text: (input: ChatTextInput): ChatTurn =>
    turn([{ ...contentPart(input.text, input), logprob: input.logprobs ?? null }], input),
  reasoning: (input: ChatReasoningInput): ChatTurn => turn([textPart("reasoning", input.reasoning, input)], input),
  reasoningText: (input: ChatReasoningTextInput): ChatTurn =>
    turn([textPart("reasoning", input.reasoning, input), textPart("content", input.text, input)], input),
  call: (input: ChatCallInput): ChatTurn => turn([callsPart([input], input)], input),
  customCall: (input: ChatCallInput): ChatTurn => turn([{ ...callsPart([input], input), tool: "custom" }], input),
  calls: (input: ChatCallsInput): ChatTurn => turn([callsPart(input.calls, input)], input),
  textCalls: (input: ChatTextCallsInput): ChatTurn =>
    turn([textPart("content", input.text, input), callsPart(input.calls, input)], input),
  thinkThenCall: (input: ChatThinkThenCallInput): ChatTurn =>
    turn([thoughtPart(input.reasoning, input), callsPart([input], input)], input),
  refusal: (input: ChatRefusalInput): ChatTurn => turn([textPart("refusal", input.text, input)], input),
  audio: (input: ChatAudioInput): ChatTurn => ({
    choices: [{ parts: [audioPart(input)], finishReason: null }],
    order: "sequential",
    error: null
  }),
  choices: (input: ChatChoicesInput): ChatTurn => ({
    choices: input.texts.map((text) => ({
      parts: [textPart("content", text, input)],
      finishReason: input.finishReason ?? "stop"
    })),
    order: input.order ?? "sequential",
    error: null
  }),
  error: (input: ChatErrorInput): ChatTurn => ({
    choices: input.text === undefined ? [] : [{ parts: [textPart("content", input.text, input)], finishReason: null }],
    order: "sequential",
    error: { body: errorOf(input), named: input.named ?? false }
  })
} as const

const turn = (parts: ReadonlyArray<ChatPart>, input: ChatOptions): ChatTurn => {
  const hasCalls = parts.some((part) => part.kind === "calls")
  const finishReason = input.finishReason ?? (hasCalls ? "tool_calls" : "stop")
  return { choices: [{ parts, finishReason }], order: "sequential", error: null }
}

const textPart = (kind: ChatTextPart["kind"], text: string, input: ChatOptions): ChatTextPart => ({
  kind,
  ...fragments(text, input.split ?? chatExact),
  logprob: null
})

// Profile compact writes empty pieces too: the empty text is one empty delta there.
const contentPart = (text: string, input: ChatTextInput): ChatTextPart => {
  const part = textPart("content", text, input)
  return input.profile === "compact" ? { ...part, pieces: (input.split ?? chatExact)(text) } : part
}

const thoughtPart = (reasoning: string, input: ChatThinkThenCallInput): ChatTextPart =>
  textPart("reasoning", reasoning, input.profile === "compact" ? { ...input, split: trailingEcho } : input)

const callsPart = (
  calls: ReadonlyArray<ToolCall>,
  input: ChatOptions & { readonly order?: CallOrder }
): ChatCallsPart => ({
  kind: "calls",
  tool: "function",
  order: input.order ?? "sequential",
  isWhole: input.wholeCalls ?? false,
  calls: calls.map((call) => ({
    callId: call.callId,
    name: call.name,
    arguments: fragments(argumentsOf(call), input.splitArguments ?? chatExact)
  }))
})

const audioPart = (input: ChatAudioInput): ChatPart => ({
  kind: "audio",
  id: input.audioId ?? "audio_mock",
  data: fragments(input.data, input.splitArguments ?? chatExact),
  transcript: fragments(input.transcript, input.split ?? chatExact),
  expiresAt: input.expiresAt ?? 1234571490
})

const errorOf = (input: ChatErrorInput): JsonObject => ({
  message: input.message,
  type: input.type ?? "server_error",
  param: input.param ?? null,
  code: input.code ?? null
})
