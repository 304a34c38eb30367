import type { WireProfile } from "../../domain/endpoint.ts"
import type { JsonObject } from "../json.ts"
import type { ToolCall } from "../tool-call.ts"
import {
  redactedBlock,
  serverToolUseBlock,
  textBlock,
  thinkingBlock,
  toolUseBlock,
  webSearchResultBlock
} from "./blocks.ts"
import type { MessagesOptions } from "./options.ts"
import type { MessagesBlock, MessagesTurn } from "./turn.ts"

/** @since 0.1.0 @category models */
export interface MessagesTextInput extends MessagesOptions {
  readonly text: string
  readonly profile?: WireProfile
}

/** @since 0.1.0 @category models */
export interface MessagesThinkingInput extends MessagesOptions {
  readonly reasoning: string
  readonly signature?: string
}

/** @since 0.1.0 @category models */
export interface MessagesThinkingTextInput extends MessagesThinkingInput {
  readonly text: string
}

/** @since 0.1.0 @category models */
export interface MessagesThinkThenCallInput extends MessagesThinkingInput, ToolCall {}

/** @since 0.1.0 @category models */
export interface MessagesCallInput extends MessagesOptions, ToolCall {}

/** @since 0.1.0 @category models */
export interface MessagesCallsInput extends MessagesOptions {
  readonly calls: ReadonlyArray<ToolCall>
}

/** @since 0.1.0 @category models */
export interface MessagesTextCallsInput extends MessagesCallsInput {
  readonly text: string
}

/** @since 0.1.0 @category models */
export interface MessagesRedactedInput extends MessagesOptions {
  readonly data: string
  readonly text?: string
}

/** @since 0.1.0 @category models */
export interface MessagesCitationsInput extends MessagesOptions {
  readonly text: string
  readonly citations: ReadonlyArray<JsonObject>
}

/**
 * A search: its results as they go over the wire, or the code of its failure, and the text that cites them.
 *
 * @since 0.1.0
 * @category models
 */
export interface MessagesWebSearchInput extends MessagesOptions {
  readonly query: string
  readonly results: ReadonlyArray<JsonObject>
  readonly errorCode?: string
  readonly text?: string
  readonly citations?: ReadonlyArray<JsonObject>
}

/** @since 0.1.0 @category models */
export interface MessagesStopSequenceInput extends MessagesOptions {
  readonly text: string
  readonly stopSequence: string
}

/** @since 0.1.0 @category models */
export interface MessagesRefusalInput extends MessagesOptions {
  readonly text?: string
  readonly category?: string | null
  readonly explanation?: string | null
}

/** @since 0.1.0 @category models */
export interface MessagesPauseInput extends MessagesOptions {
  readonly query: string
  readonly text?: string
}

/**
 * An error after the pieces of `text` (none: as the only frame).
 *
 * @since 0.1.0
 * @category models
 */
export interface MessagesErrorInput extends MessagesOptions {
  readonly message: string
  readonly type?: string
  readonly details?: JsonObject
  readonly requestId?: string
  readonly text?: string
}

/**
 * What each named scenario says, as data; the events and the JSON reply are both made from it.
 *
 * **Source** wire-formats.md, sections 2C.3 to 2C.7 and 2G
 *
 * @since 0.1.0
 * @category constructors
 */
export const messagesTurns = {
  text: (input: MessagesTextInput) => turn(input, [textBlock(input.text, input)]),
  empty: (input: MessagesOptions) => turn(input, []),
  thinking: (input: MessagesThinkingInput) => turn(input, [thought(input)]),
  thinkingText: (input: MessagesThinkingTextInput) => turn(input, [thought(input), textBlock(input.text, input)]),
  thinkThenCall: (input: MessagesThinkThenCallInput) =>
    turn(input, [thought(input), toolUseBlock(input, input)], "tool_use"),
  call: (input: MessagesCallInput) => turn(input, [toolUseBlock(input, input)], "tool_use"),
  calls: (input: MessagesCallsInput) => turn(input, toolUses(input), "tool_use"),
  textCalls: (input: MessagesTextCallsInput) =>
    turn(input, [textBlock(input.text, input), ...toolUses(input)], "tool_use"),
  redactedThinking: (input: MessagesRedactedInput) => turn(input, [redactedBlock(input.data), ...optionalText(input)]),
  citations: (input: MessagesCitationsInput) => turn(input, [textBlock(input.text, input, input.citations)]),
  webSearch: (input: MessagesWebSearchInput) => ({
    ...turn(input, [search(input), found(input), ...optionalText(input, input.citations)]),
    serverToolUse: oneSearch
  }),
  stopSequence: (input: MessagesStopSequenceInput) => ({
    ...turn(input, [textBlock(input.text, input)], "stop_sequence"),
    stopSequence: input.stopSequence
  }),
  refusal: (input: MessagesRefusalInput) => ({
    ...turn(input, optionalText(input), "refusal"),
    stopDetails: { type: "refusal", category: input.category ?? null, explanation: input.explanation ?? null }
  }),
  pauseTurn: (input: MessagesPauseInput) => ({
    ...turn(input, [...optionalText(input), search(input)], "pause_turn"),
    serverToolUse: oneSearch
  }),
  error: (input: MessagesErrorInput) => ({ ...turn(input, optionalText(input)), error: errorOf(input) })
} as const

function turn(
  options: MessagesOptions,
  blocks: ReadonlyArray<MessagesBlock>,
  defaultReason = "end_turn"
): MessagesTurn {
  return {
    blocks,
    stopReason: options.stopReason ?? defaultReason,
    stopSequence: null,
    stopDetails: null,
    serverToolUse: null,
    error: null
  }
}

const searchId = "srvtoolu_mock"
const oneSearch = { web_search_requests: 1, web_fetch_requests: 0 }

const thought = (input: MessagesThinkingInput): MessagesBlock =>
  thinkingBlock(input.reasoning, input.signature ?? "sig_mock", input)

const toolUses = (input: MessagesCallsInput): ReadonlyArray<MessagesBlock> =>
  input.calls.map((call) => toolUseBlock(call, input))

const optionalText = (
  input: MessagesOptions & { readonly text?: string },
  citations: ReadonlyArray<JsonObject> = []
): ReadonlyArray<MessagesBlock> => (input.text === undefined ? [] : [textBlock(input.text, input, citations)])

const search = (input: MessagesOptions & { readonly query: string }): MessagesBlock => {
  const call = { callId: searchId, name: "web_search", arguments: JSON.stringify({ query: input.query }) }
  return serverToolUseBlock(call, input)
}

const found = ({ results, errorCode }: MessagesWebSearchInput): MessagesBlock =>
  webSearchResultBlock(
    searchId,
    errorCode === undefined ? results : { type: "web_search_tool_result_error", error_code: errorCode }
  )

const errorOf = (input: MessagesErrorInput): JsonObject => ({
  type: "error",
  error: {
    type: input.type ?? "api_error",
    message: input.message,
    ...(input.details === undefined ? {} : { details: input.details })
  },
  ...(input.requestId === undefined ? {} : { request_id: input.requestId })
})
