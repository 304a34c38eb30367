import type { Fragments } from "../fragments.ts"
import type { JsonObject } from "../json.ts"
import type { CallOrder } from "../tool-call.ts"

/**
 * Visible text; the annotations point into it.
 *
 * @since 0.1.0
 * @category models
 */
export interface MessagePart {
  readonly kind: "message"
  readonly text: Fragments
  readonly annotations: ReadonlyArray<JsonObject>
}

/** @since 0.1.0 @category models */
export interface RefusalPart {
  readonly kind: "refusal"
  readonly text: Fragments
}

/**
 * A thought: summary parts, the raw chain of thought of open-weight models, or only the encrypted blob.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReasoningPart {
  readonly kind: "reasoning"
  readonly summary: ReadonlyArray<Fragments>
  readonly content: Fragments | null
  readonly encrypted: string | null
}

/** @since 0.1.0 @category models */
export interface CallPart {
  readonly kind: "call" | "customCall"
  readonly callId: string
  readonly name: string
  readonly arguments: Fragments
}

/**
 * A tool that the provider runs: the item as it is announced and as it ends (both without id), and the events between.
 *
 * **Source** wire-formats.md, section 8.3
 *
 * @since 0.1.0
 * @category models
 */
export interface HostedPart {
  readonly kind: "hosted"
  readonly idPrefix: string
  readonly added: JsonObject
  readonly done: JsonObject
  readonly steps: ReadonlyArray<HostedStep>
}

/**
 * One event of a hosted tool: its type and its keys after `output_index`.
 *
 * @since 0.1.0
 * @category models
 */
export interface HostedStep {
  readonly event: string
  readonly fields: JsonObject
}

/** @since 0.1.0 @category models */
export type ResponsesPart = MessagePart | RefusalPart | ReasoningPart | CallPart | HostedPart

/**
 * What profile compact can say.
 *
 * @since 0.1.0
 * @category models
 */
export type CorePart = MessagePart | ReasoningPart | CallPart

/**
 * How the stream ends. An `error` frame takes the place of the terminal event and leaves the items open.
 *
 * **Source** wire-formats.md, section 2B.9
 *
 * @since 0.1.0
 * @category models
 */
export type ResponsesEnding =
  | { readonly kind: "completed" }
  | { readonly kind: "incomplete"; readonly reason: string }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "error"; readonly body: JsonObject; readonly shape: "flat" | "nested"; readonly named: boolean }

/**
 * What one Responses answer says, from which both the events and the JSON reply are made.
 *
 * `labels` are those of the repetition detector, `[]` without it; `checked` sends a frame for each prefix of them, and
 * `spliced` is the verbatim payload of such a frame after the first event.
 *
 * **Source** wire-formats.md, section 2B
 *
 * @since 0.1.0
 * @category models
 */
export interface ResponsesTurn<Part extends ResponsesPart = ResponsesPart> {
  readonly parts: ReadonlyArray<Part>
  readonly order: CallOrder
  readonly ending: ResponsesEnding
  readonly queued: boolean
  readonly labels: ReadonlyArray<string>
  readonly checked: boolean
  readonly spliced: string | null
}
