import type { FaultOptions } from "../domain/fault-options.ts"
import { member } from "../domain/json.ts"
import type { FaultServerOptions } from "./fault-server-api.ts"

/** The options of the server that concern the form of every answer, with their defaults. */
export interface AnswerTerms {
  readonly chunkShape: NonNullable<FaultServerOptions["chunkShape"]>
  readonly usagePlacement: NonNullable<FaultServerOptions["usagePlacement"]>
  readonly streaming: NonNullable<FaultServerOptions["streaming"]>
  readonly markErrors: boolean
  readonly options: FaultOptions
}

/** @since 0.1.0 @category constructors */
export const answerTerms = (options: FaultServerOptions): AnswerTerms => ({
  chunkShape: options.chunkShape ?? "complete",
  usagePlacement: options.usagePlacement ?? "attached",
  streaming: options.streaming ?? "strict",
  markErrors: options.markErrors ?? false,
  options
})

/**
 * Whether a request gets a stream.
 *
 * **Source** fault-server.md, section 9.4.5
 *
 * @since 0.1.0
 * @category classification
 */
export const wantsStream = (body: unknown, streaming: AnswerTerms["streaming"]): boolean => {
  if (streaming === "sse") return true
  const stream = member(body, "stream")
  return streaming === "strict" ? stream === true : stream !== false
}

/** The model that an answer names. */
export const modelOf = (body: unknown): string => {
  const model = member(body, "model")
  return typeof model === "string" && model !== "" ? model : "mock-model"
}

/** Whether the client asked for token counts in its stream. */
export const includesUsage = (body: unknown): boolean =>
  member(member(body, "stream_options"), "include_usage") === true
