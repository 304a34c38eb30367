import type { SseEvent } from "../../domain/sse-event.ts"

/**
 * The three wire formats, as records of the fault server call them.
 *
 * @since 0.1.0
 * @category models
 */
export type FaultFormat = "chat" | "responses" | "messages"

/** Why a model stopped, in the words of chat completions; each format has its own for it. */
export type Finish = "stop" | "length" | "tool_calls" | "content_filter"

/** One tool call; joined, the pieces are its arguments. */
export interface TurnCall {
  readonly id: string
  readonly name: string
  readonly pieces: ReadonlyArray<string>
}

/** A part of what a model says, cut into the pieces that become deltas. `isInterleaved` calls send a piece each in turn. */
export type TurnPart =
  | { readonly kind: "reasoning"; readonly pieces: ReadonlyArray<string> }
  | { readonly kind: "text"; readonly pieces: ReadonlyArray<string> }
  | { readonly kind: "calls"; readonly calls: ReadonlyArray<TurnCall>; readonly isInterleaved?: boolean }

/**
 * What a model says, whatever the format. `usage` is `"none"` for an answer without token counts; a number replaces the
 * input tokens.
 *
 * @since 0.1.0
 * @category models
 */
export interface Turn {
  readonly parts: ReadonlyArray<TurnPart>
  readonly finish: Finish
  readonly outputTokens: number
  readonly usage?: "none" | number
}

/**
 * What an event is to its stream: it opens something, carries a piece, closes what was opened, says how the answer
 * finished, or is the last one. The last event of Responses also says how it finished.
 */
export type EventRole = "opening" | "delta" | "closing" | "finish" | "last"

/** An event and its role. */
export interface VoiceEvent extends SseEvent {
  readonly role: EventRole
}

/**
 * An HTTP error in all formats. `mock` are type and code of the fault server's dialect (chat and Responses); `provider`
 * is what replaces the defaults of the status where an answer is faithful to the provider.
 *
 * @since 0.1.0
 * @category models
 */
export interface ErrorRow {
  readonly status: number
  readonly message: string
  readonly mock: { readonly type: string; readonly code: string }
  readonly provider?: { readonly type?: string; readonly code?: string | null; readonly param?: string | null }
  readonly messages: { readonly status: number; readonly type: string; readonly message?: string }
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>
}

/** Status, headers and JSON text of an HTTP error. */
export interface HttpError {
  readonly status: number
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: string
}

/**
 * How a server speaks one format: turns as events or as a JSON reply, errors in its envelope. Faults are written with
 * a voice, so that each is written once. All of it is pure.
 *
 * @since 0.1.0
 * @category services
 */
export interface Voice {
  readonly format: FaultFormat
  /** The events of a turn, the terminal ones included. */
  events(turn: Turn): ReadonlyArray<VoiceEvent>
  /** The JSON reply of a turn. */
  reply(turn: Turn): string
  /** The first event of a stream in which nothing was said yet: role, `response.created`, `message_start`. */
  announcement(): VoiceEvent
  /** `events` between the beginning and the end of an otherwise empty stream. */
  around(events: ReadonlyArray<SseEvent>): ReadonlyArray<VoiceEvent>
  /** An event with a payload that is no JSON, or JSON of a wrong shape. */
  malformedEvent(kind: "json" | "shape"): VoiceEvent
  /** A JSON reply of a wrong shape. */
  malformedReply(): string
  /** The error that a stream carries in band; `at` is its index among the events. */
  errorEvent(message: string, at?: number): VoiceEvent
  /** An event whose type no client knows. */
  unknownEvent(): VoiceEvent
  error(row: ErrorRow, requestId: string | null): HttpError
  /** Headers of an event stream. */
  readonly streamHeaders: ReadonlyArray<readonly [name: string, value: string]>
}
