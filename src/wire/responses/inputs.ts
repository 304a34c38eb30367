import type { WireProfile } from "../../domain/endpoint.ts"
import type { CallOrder, ToolCall } from "../tool-call.ts"
import type { ResponsesOptions } from "./options.ts"

/** @since 0.1.0 @category models */
export interface ResponsesTextInput extends ResponsesOptions {
  readonly text: string
  readonly profile?: WireProfile
}

/**
 * A thought and nothing else. `encryptedContent` rides on the finished item.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResponsesReasoningInput extends ResponsesOptions {
  readonly reasoning: string
  readonly encryptedContent?: string
  readonly profile?: WireProfile
}

/** @since 0.1.0 @category models */
export interface ResponsesReasoningTextInput extends ResponsesReasoningInput {
  readonly text: string
}

/** @since 0.1.0 @category models */
export interface ResponsesThinkThenCallInput extends ResponsesReasoningInput, ToolCall {}

/** @since 0.1.0 @category models */
export interface ResponsesSummariesInput extends ResponsesOptions {
  readonly summaries: ReadonlyArray<string>
  readonly encryptedContent?: string
}

/** @since 0.1.0 @category models */
export interface ResponsesEncryptedInput extends ResponsesOptions {
  readonly encryptedContent: string
}

/** @since 0.1.0 @category models */
export interface ResponsesRawReasoningInput extends ResponsesOptions {
  readonly reasoning: string
  readonly text?: string
}

/** @since 0.1.0 @category models */
export interface ResponsesCallInput extends ResponsesOptions, ToolCall {}

/** @since 0.1.0 @category models */
export interface ResponsesCallsInput extends ResponsesOptions {
  readonly calls: ReadonlyArray<ToolCall>
  readonly order?: CallOrder
}

/** @since 0.1.0 @category models */
export interface ResponsesTextCallsInput extends ResponsesOptions {
  readonly text: string
  readonly calls: ReadonlyArray<ToolCall>
}

/** @since 0.1.0 @category models */
export interface ResponsesPlainTextInput extends ResponsesOptions {
  readonly text: string
}

/** @since 0.1.0 @category models */
export interface ResponsesIncompleteInput extends ResponsesPlainTextInput {
  readonly reason?: string
}

/**
 * A failure after the pieces of `text` (none: without any item).
 *
 * @since 0.1.0
 * @category models
 */
export interface ResponsesFailedInput extends ResponsesOptions {
  readonly message: string
  readonly code?: string
  readonly text?: string
}

/**
 * An error frame after the pieces of `text` (none: after the opening events). `shape` is `flat` by default; `type` is
 * written in the nested shape only; `named` (by default true) adds the `event: error` line.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResponsesErrorInput extends ResponsesFailedInput {
  readonly type?: string
  readonly param?: string | null
  readonly shape?: "flat" | "nested"
  readonly named?: boolean
}

/**
 * The labels of the repetition detector, at least one.
 *
 * @since 0.1.0
 * @category models
 */
export type DoomLabels = readonly [string, ...ReadonlyArray<string>]

/** @since 0.1.0 @category models */
export interface DoomCheckInput extends ResponsesReasoningInput {
  readonly labels: DoomLabels
}

/** @since 0.1.0 @category models */
export interface DoomTerminalInput extends ResponsesReasoningTextInput {
  readonly labels: DoomLabels
}

/**
 * `payload` is the data of the spliced frame, verbatim, even when it is no JSON.
 *
 * @since 0.1.0
 * @category models
 */
export interface DoomSpliceInput extends ResponsesReasoningTextInput {
  readonly payload: string
}
