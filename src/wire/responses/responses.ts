import type { WireProfile } from "../../domain/endpoint.ts"
import type { SseEvent } from "../../domain/sse-event.ts"
import type { JsonObject } from "../json.ts"
import { compactResponsesEvents } from "./compact.ts"
import { fullResponsesEvents, responsesReplyBody } from "./full.ts"
import type { ResponsesOptions } from "./options.ts"
import { coreTurns, fullTurns } from "./scenarios.ts"
import type { CorePart, ResponsesTurn } from "./turn.ts"

/**
 * Responses streams: one builder a scenario, each from one options object to the list of events. Builders whose input has
 * a `profile` exist in both profiles; all others are profile full.
 *
 * **Source** wire-formats.md, sections 2B and 2G
 *
 * @since 0.1.0
 * @category constructors
 */
export const responses = {
  text: profiled(coreTurns.text),
  reasoning: profiled(coreTurns.reasoning),
  reasoningText: profiled(coreTurns.reasoningText),
  thinkThenCall: profiled(coreTurns.thinkThenCall),
  doomCheck: profiled(coreTurns.doomCheck),
  doomTerminal: profiled(coreTurns.doomTerminal),
  doomSplice: profiled(coreTurns.doomSplice),
  rawReasoning: streamed(fullTurns.rawReasoning),
  encryptedReasoning: streamed(fullTurns.encryptedReasoning),
  summaries: streamed(fullTurns.summaries),
  call: streamed(fullTurns.call),
  customCall: streamed(fullTurns.customCall),
  calls: streamed(fullTurns.calls),
  textCalls: streamed(fullTurns.textCalls),
  refusal: streamed(fullTurns.refusal),
  incomplete: streamed(fullTurns.incomplete),
  failed: streamed(fullTurns.failed),
  error: streamed(fullTurns.error),
  webSearch: streamed(fullTurns.webSearch),
  fileSearch: streamed(fullTurns.fileSearch),
  codeInterpreter: streamed(fullTurns.codeInterpreter),
  imageGeneration: streamed(fullTurns.imageGeneration),
  mcp: streamed(fullTurns.mcp),
  queued: streamed(fullTurns.queued)
} as const

/**
 * The JSON replies of the same scenarios, from the same inputs.
 *
 * **Source** wire-formats.md, section 2B.10
 *
 * @since 0.1.0
 * @category constructors
 */
export const responsesReply = {
  text: replied(coreTurns.text),
  reasoning: replied(coreTurns.reasoning),
  reasoningText: replied(coreTurns.reasoningText),
  thinkThenCall: replied(coreTurns.thinkThenCall),
  doomCheck: replied(coreTurns.doomCheck),
  doomTerminal: replied(coreTurns.doomTerminal),
  rawReasoning: replied(fullTurns.rawReasoning),
  encryptedReasoning: replied(fullTurns.encryptedReasoning),
  summaries: replied(fullTurns.summaries),
  call: replied(fullTurns.call),
  customCall: replied(fullTurns.customCall),
  calls: replied(fullTurns.calls),
  textCalls: replied(fullTurns.textCalls),
  refusal: replied(fullTurns.refusal),
  incomplete: replied(fullTurns.incomplete),
  failed: replied(fullTurns.failed),
  webSearch: replied(fullTurns.webSearch),
  fileSearch: replied(fullTurns.fileSearch),
  codeInterpreter: replied(fullTurns.codeInterpreter),
  imageGeneration: replied(fullTurns.imageGeneration),
  mcp: replied(fullTurns.mcp)
} as const

function streamed<I extends ResponsesOptions>(describe: (input: I) => ResponsesTurn) {
  return (input: I): ReadonlyArray<SseEvent> => fullResponsesEvents(describe(input), input)
}

function profiled<I extends ResponsesOptions & { readonly profile?: WireProfile }>(
  describe: (input: I) => ResponsesTurn<CorePart>
) {
  return (input: I): ReadonlyArray<SseEvent> =>
    input.profile === "compact"
      ? compactResponsesEvents(describe(input), input)
      : fullResponsesEvents(describe(input), input)
}

function replied<I extends ResponsesOptions>(describe: (input: I) => ResponsesTurn) {
  return (input: I): JsonObject => responsesReplyBody(describe(input), input)
}
