import type { WireProfile } from "../../domain/endpoint.ts"
import { fragments } from "../fragments.ts"
import type { JsonObject } from "../json.ts"
import { responsesExact, trailingEcho } from "../splitters.ts"
import { argumentsOf, type ToolCall } from "../tool-call.ts"
import * as hosted from "./hosted.ts"
import type * as inputs from "./inputs.ts"
import type { ResponsesOptions } from "./options.ts"
import type { CallPart, CorePart, MessagePart, ReasoningPart, ResponsesPart, ResponsesTurn } from "./turn.ts"

/**
 * What the scenarios of both profiles say, as data; the events and the JSON reply are both made from it.
 *
 * **Source** wire-formats.md, sections 2B.3 to 2B.8 and 2G
 *
 * @since 0.1.0
 * @category constructors
 */
export const coreTurns = {
  text: (input: inputs.ResponsesTextInput) => turn<CorePart>([message(input.text, input)]),
  reasoning: (input: inputs.ResponsesReasoningInput) => turn<CorePart>([thought(input)]),
  reasoningText: (input: inputs.ResponsesReasoningTextInput) => turn<CorePart>(thoughtAndText(input)),
  thinkThenCall: (input: inputs.ResponsesThinkThenCallInput) =>
    turn<CorePart>([thought(input), call("call", input, input)]),
  doomCheck: (input: inputs.DoomCheckInput) => ({
    ...turn<CorePart>([thought(input)]),
    labels: requireLabels(input.labels),
    checked: true
  }),
  doomTerminal: (input: inputs.DoomTerminalInput) => ({
    ...turn<CorePart>(thoughtAndText(input)),
    labels: requireLabels(input.labels)
  }),
  doomSplice: (input: inputs.DoomSpliceInput) => ({
    ...turn<CorePart>(thoughtAndText(input)),
    spliced: input.payload
  })
} as const

/**
 * What the scenarios that exist in profile full only say.
 *
 * **Source** wire-formats.md, sections 2B.4 to 2B.9 and 8.3
 *
 * @since 0.1.0
 * @category constructors
 */
export const fullTurns = {
  rawReasoning: (input: inputs.ResponsesRawReasoningInput) =>
    turn([
      { ...noThought, content: fragments(input.reasoning, input.split ?? responsesExact) },
      ...optionalMessage(input)
    ]),
  encryptedReasoning: (input: inputs.ResponsesEncryptedInput) =>
    turn([{ ...noThought, encrypted: input.encryptedContent }]),
  summaries: (input: inputs.ResponsesSummariesInput) =>
    turn([
      {
        ...noThought,
        summary: input.summaries.map((text) => fragments(text, input.split ?? responsesExact)),
        encrypted: input.encryptedContent ?? null
      }
    ]),
  call: (input: inputs.ResponsesCallInput) => turn([call("call", input, input)]),
  customCall: (input: inputs.ResponsesCallInput) => turn([call("customCall", input, input)]),
  calls: (input: inputs.ResponsesCallsInput) => ({
    ...turn(input.calls.map((each) => call("call", each, input))),
    order: input.order ?? "sequential"
  }),
  textCalls: (input: inputs.ResponsesTextCallsInput) =>
    turn([message(input.text, input), ...input.calls.map((each) => call("call", each, input))]),
  refusal: (input: inputs.ResponsesPlainTextInput) =>
    turn([{ kind: "refusal", text: fragments(input.text, input.split ?? responsesExact) }]),
  incomplete: (input: inputs.ResponsesIncompleteInput) => ({
    ...turn([message(input.text, input)]),
    ending: { kind: "incomplete", reason: input.reason ?? "max_output_tokens" } as const
  }),
  failed: (input: inputs.ResponsesFailedInput) => ({
    ...turn(optionalMessage(input)),
    ending: { kind: "failed", code: input.code ?? "server_error", message: input.message } as const
  }),
  error: (input: inputs.ResponsesErrorInput) => ({
    ...turn(optionalMessage(input)),
    ending: {
      kind: "error",
      body: errorOf(input),
      shape: input.shape ?? "flat",
      named: input.named ?? true
    } as const
  }),
  webSearch: (input: hosted.WebSearchInput) =>
    turn([hosted.webSearchPart(input), ...optionalMessage(input, (input.citations ?? []).map(hosted.urlCitation))]),
  fileSearch: (input: hosted.FileSearchInput) => turn([hosted.fileSearchPart(input), ...optionalMessage(input)]),
  codeInterpreter: (input: hosted.CodeInterpreterInput) =>
    turn([hosted.codeInterpreterPart(input), ...optionalMessage(input)]),
  imageGeneration: (input: hosted.ImageGenerationInput) =>
    turn([hosted.imageGenerationPart(input), ...optionalMessage(input)]),
  mcp: (input: hosted.McpInput) =>
    turn([hosted.mcpListToolsPart(input), hosted.mcpCallPart(input), ...optionalMessage(input)]),
  queued: (input: inputs.ResponsesPlainTextInput) => ({ ...turn([message(input.text, input)]), queued: true })
} as const

function turn<Part extends ResponsesPart = ResponsesPart>(parts: ReadonlyArray<Part>): ResponsesTurn<Part> {
  return {
    parts,
    order: "sequential",
    ending: { kind: "completed" },
    queued: false,
    labels: [],
    checked: false,
    spliced: null
  }
}

type Profiled = ResponsesOptions & { readonly profile?: WireProfile }

const message = (text: string, input: ResponsesOptions, annotations: ReadonlyArray<JsonObject> = []): MessagePart => ({
  kind: "message",
  text: fragments(text, input.split ?? responsesExact),
  annotations
})

const optionalMessage = (
  input: ResponsesOptions & { readonly text?: string },
  annotations: ReadonlyArray<JsonObject> = []
): ReadonlyArray<MessagePart> => (input.text === undefined ? [] : [message(input.text, input, annotations)])

const noThought: ReasoningPart = { kind: "reasoning", summary: [], content: null, encrypted: null }

const thought = (input: inputs.ResponsesReasoningInput): ReasoningPart => ({
  ...noThought,
  summary: [fragments(input.reasoning, collapsing(input).split ?? responsesExact)],
  encrypted: input.encryptedContent ?? null
})

const thoughtAndText = (input: inputs.ResponsesReasoningTextInput): ReadonlyArray<CorePart> => [
  thought(input),
  message(input.text, collapsing(input))
]

// Profile compact always collapses the white space of a thought and of the text behind it.
const collapsing = (input: Profiled): ResponsesOptions =>
  input.profile === "compact" ? { ...input, split: trailingEcho } : input

const call = (kind: CallPart["kind"], tool: ToolCall, input: ResponsesOptions): CallPart => ({
  kind,
  callId: tool.callId,
  name: tool.name,
  arguments: fragments(argumentsOf(tool), input.splitArguments ?? responsesExact)
})

const errorOf = (input: inputs.ResponsesErrorInput): JsonObject => {
  const rest = { code: input.code ?? "server_error", message: input.message, param: input.param ?? null }
  return input.shape === "nested" ? { type: input.type ?? "server_error", ...rest } : rest
}

const requireLabels = (labels: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (labels.length > 0) return labels
  throw new RangeError("the repetition detector reports at least one label; for a turn without any use another builder")
}
