import type { BodyPiece } from "./body-piece.ts"
import { InvalidScript } from "./errors.ts"
import type { FaultName } from "./fault-names.ts"
import type { FaultOptions } from "./fault-options.ts"
import { describe, isRecord } from "./json.ts"
import type { Pacing } from "./pacing.ts"
import type { Ending } from "./plan.ts"
import type { LineEnding, SseEvent } from "./sse-event.ts"

/**
 * What a scripted response carries. `pieces` is a raw body in pieces with pauses between them; `empty` is a body of no bytes; `none` is for answers that end before their head.
 *
 * @since 0.1.0
 * @category models
 */
export type ScriptedBody =
  | { readonly kind: "sse"; readonly events: ReadonlyArray<SseEvent>; readonly lineEnding?: LineEnding }
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "raw"; readonly bytes: string | Uint8Array }
  | { readonly kind: "pieces"; readonly pieces: ReadonlyArray<BodyPiece> }
  | { readonly kind: "empty" }
  | { readonly kind: "none" }
  | FaultBody

/** A fault of the catalogue: it becomes bytes when it is known which request it answers. */
export interface FaultBody {
  readonly kind: "fault"
  readonly name: FaultName
  readonly options: FaultOptions
}

/**
 * An answer written by a test: editable until it is registered, when it is copied. `headers` are applied last and replace
 * defaults of the same name. `ending` says how the response ends when all of it was sent (default: cleanly). `splitBytes`
 * cuts the body every so many bytes, wherever that is; `pacing` paces this one answer; of a whole body only the first
 * `cutBytes` bytes are sent, though its head promises all.
 *
 * **Source** inference-server.md, section 4.1
 *
 * @since 0.1.0
 * @category models
 */
export interface ScriptedResponse {
  status: number
  headers: Array<[name: string, value: string]>
  body: ScriptedBody
  ending: Ending
  splitBytes?: number
  pacing?: Pacing
  cutBytes?: number
}

/**
 * Where an answer breaks off: after so many events of a stream, or so many bytes of a body that is none. `ending` says how
 * (default: `fin`).
 *
 * @since 0.1.0
 * @category models
 */
export type Cut = ({ readonly afterEvent: number } | { readonly afterBytes: number }) & {
  readonly ending?: Exclude<Ending, "end">
}

/**
 * Why a stream of so many events cannot be cut after this one; `null` where it can.
 *
 * @since 0.1.0
 * @category guards
 */
export const cutProblem = (afterEvent: unknown, events: number): string | null => {
  if (typeof afterEvent === "number" && Number.isInteger(afterEvent) && afterEvent >= 0 && afterEvent < events) {
    return null
  }
  const allowed = events === 0 ? "a stream of no events cannot be cut" : `use a whole number from 0 to ${events - 1}`
  return `the cut after event ${describe(afterEvent)} leaves nothing out; ${allowed}`
}

/** What the types promise, for callers that have none. */
const checkCut = (response: unknown, where: unknown): void => {
  if (!isRecord(response) || !isRecord(response["body"])) {
    throw new InvalidScript(`cut(response, where): the response is ${describe(response)}; use a ScriptedResponse`)
  }
  if (!isRecord(where)) {
    throw new InvalidScript(`cut(response, where): where is ${describe(where)}; use { afterEvent } or { afterBytes }`)
  }
  const { ending } = where
  if (ending === undefined || cutEndings.includes(ending)) return
  const allowed = cutEndings.map((one) => describe(one)).join(", ")
  throw new InvalidScript(`a cut answer cannot have the ending ${describe(ending)}; use one of ${allowed}`)
}

const cutEndings: ReadonlyArray<unknown> = ["fin", "rst", "halfClose", "stall", "vanish"]

const respond = (status: number, body: ScriptedBody): ScriptedResponse => ({ status, headers: [], body, ending: "end" })

/** @since 0.1.0 @category constructors */
export const ScriptedResponse = {
  /**
   * A stream of events with status 200, sent whatever the request's `stream` says; a client that does not stream needs
   * `json`.
   */
  sse: (events: ReadonlyArray<SseEvent>, options: { readonly lineEnding?: LineEnding } = {}): ScriptedResponse =>
    respond(200, { kind: "sse", events, ...options }),
  /** A JSON value, sent whatever the request's `stream` says; `sse.chatReply` and its like make whole answers. */
  json: (status: number, value: unknown): ScriptedResponse => respond(status, { kind: "json", value }),
  /** Plain text, byte for byte; give it another `content-type` by a header. */
  text: (status: number, text: string): ScriptedResponse => respond(status, { kind: "raw", bytes: text }),
  /** Raw bytes as `application/octet-stream`, unless a header says otherwise. */
  bytes: (status: number, bytes: Uint8Array): ScriptedResponse => respond(status, { kind: "raw", bytes }),
  /** Text or bytes piece by piece, each `delayMs` after the one before. */
  pieces: (status: number, pieces: ReadonlyArray<BodyPiece>): ScriptedResponse =>
    respond(status, { kind: "pieces", pieces }),
  /** A status and headers, and a body of no bytes. */
  empty: (status: number, headers: ReadonlyArray<readonly [string, string]> = []): ScriptedResponse => ({
    ...respond(status, { kind: "empty" }),
    headers: headers.map(([name, value]) => [name, value])
  }),
  /** No answer at all: the connection ends (or stalls) before a status line. */
  hangUp: (ending: Exclude<Ending, "end"> = "fin"): ScriptedResponse => ({
    ...respond(200, { kind: "none" }),
    ending
  }),
  /**
   * A fault of the catalogue by name, in the form of the API that asks, as a stream when one is asked for. It says itself
   * which status it has and how it ends; `headers` that a test adds replace its own.
   */
  fault: (name: FaultName, options: FaultOptions = {}): ScriptedResponse =>
    respond(200, { kind: "fault", name, options }),
  /** The beginning of an answer; then the connection ends (or stalls). Throws `InvalidScript` where nothing would be cut. */
  cut: (response: ScriptedResponse, where: Cut): ScriptedResponse => {
    checkCut(response, where)
    const { body } = response
    const { ending = "fin" } = where
    if ("afterBytes" in where) return { ...response, ending, cutBytes: where.afterBytes }
    if (body.kind !== "sse") throw new InvalidScript(`a ${body.kind} body has no events; cut it by { afterBytes }`)
    const { afterEvent } = where
    const problem = cutProblem(afterEvent, body.events.length)
    if (problem !== null) throw new InvalidScript(problem)
    return { ...response, ending, body: { ...body, events: body.events.slice(0, afterEvent) } }
  }
} as const
