import { piecesMax } from "../../domain/answer-size.ts"
import type { BodyStep } from "../../domain/body-step.ts"
import type { FaultSettings } from "../../domain/fault-options.ts"
import type { Ending } from "../../domain/plan.ts"
import type { LineEnding, SseEvent } from "../../domain/sse-event.ts"
import { encodeEvent } from "../../wire/sse-frame.ts"
import type { FaultAnswer, FaultContext } from "./behavior.ts"
import type { ErrorRow, Turn, Voice, VoiceEvent } from "./voice.ts"

const utf8 = new TextEncoder()

/** Events, one step each. */
export const eventSteps = (events: ReadonlyArray<SseEvent>): ReadonlyArray<BodyStep> =>
  events.map((event) => ({ kind: "event", frame: encodeEvent(event) }))

/** Events with a pause after each piece; what opens and closes is sent without delay. */
export const slowSteps = (events: ReadonlyArray<VoiceEvent>, ms: number): ReadonlyArray<BodyStep> =>
  events.flatMap((event): ReadonlyArray<BodyStep> => {
    const step: BodyStep = { kind: "event", frame: encodeEvent(event) }
    return event.role === "delta" ? [step, { kind: "wait", ms }] : [step]
  })

/** The beginning of a stream, up to its last piece. */
export const upToLastDelta = (events: ReadonlyArray<VoiceEvent>): ReadonlyArray<VoiceEvent> =>
  events.slice(0, events.map(({ role }) => role).lastIndexOf("delta") + 1)

/**
 * The place of the last piece of text. Profile compact of chat puts a text of one piece into the event that says how
 * the answer finished.
 */
export const lastPieceAt = (events: ReadonlyArray<VoiceEvent>): number => {
  const roles = events.map(({ role }) => role)
  return Math.max(0, roles.includes("delta") ? roles.lastIndexOf("delta") : roles.indexOf("finish"))
}

/** The silence before a drop. */
export const beforeDrop = ({ disconnectDelayMs }: FaultSettings): BodyStep => ({ kind: "wait", ms: disconnectDelayMs })

/** What of an answer is not the usual. */
export interface AnswerChanges {
  readonly ending?: Ending
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>
  readonly headDelayMs?: number
}

/**
 * A stream whose steps were made from `events` (for the place of its semantic end).
 *
 * @since 0.1.0
 * @category constructors
 */
export const streamOf = (
  voice: Voice,
  steps: ReadonlyArray<BodyStep>,
  { ending = "end", headers = voice.streamHeaders, headDelayMs = 0 }: AnswerChanges = {},
  events: ReadonlyArray<VoiceEvent> = []
): FaultAnswer => {
  const finish = events.findIndex(({ role }) => role === "finish")
  const semanticEnd = finish >= 0 ? finish : events.findIndex(({ role }) => role === "last")
  return {
    head: { status: 200, headers },
    headDelayMs,
    steps,
    semanticEnd: semanticEnd < 0 ? null : semanticEnd,
    ending
  }
}

/** A stream of these events, each sent as it should be. */
export const plainStream = (
  voice: Voice,
  events: ReadonlyArray<VoiceEvent>,
  changes: AnswerChanges = {}
): FaultAnswer => streamOf(voice, eventSteps(events), changes, events)

/** A whole turn as a stream. */
export const turnStream = ({ voice }: FaultContext, turn: Turn, changes: AnswerChanges = {}): FaultAnswer =>
  plainStream(voice, voice.events(turn), changes)

/** A body that is no stream. */
export const bodyOf = (
  bytes: string | Uint8Array,
  {
    status = 200,
    ending = "end",
    headers = [["content-type", "application/json"]],
    headDelayMs = 0,
    before = [],
    after = []
  }: AnswerChanges & {
    readonly status?: number
    /** What happens between the head and the bytes, and behind them. */
    readonly before?: ReadonlyArray<BodyStep>
    readonly after?: ReadonlyArray<BodyStep>
  } = {}
): FaultAnswer => ({
  head: { status, headers },
  headDelayMs,
  steps: [...before, ...(bytes.length === 0 ? [] : [{ kind: "bytes", bytes, events: 0 } as const]), ...after],
  semanticEnd: null,
  ending
})

/** The headers of a JSON reply of so many bytes. */
export const jsonHeaders = (bytes: string): ReadonlyArray<readonly [name: string, value: string]> => [
  ["content-type", "application/json"],
  ["content-length", String(utf8.encode(bytes).byteLength)]
]

/** A whole turn as a JSON reply. */
export const turnReply = ({ voice }: FaultContext, turn: Turn, changes: AnswerChanges = {}): FaultAnswer => {
  const text = voice.reply(turn)
  return bodyOf(text, { headers: jsonHeaders(text), ...changes })
}

/** The first half of a JSON reply, in bytes. */
export const firstHalf = (text: string): Uint8Array => {
  const bytes = utf8.encode(text)
  return bytes.subarray(0, Math.floor(bytes.byteLength / 2))
}

/**
 * An HTTP error, the same whether a stream was asked for or not.
 *
 * @since 0.1.0
 * @category constructors
 */
export const errorOf = ({ voice, settings }: FaultContext, row: ErrorRow): FaultAnswer => {
  const { status, headers, body } = voice.error(row, settings.requestId)
  return bodyOf(body, { status, headers })
}

/** No byte at all. */
export const headless = (ending: Exclude<Ending, "end">): FaultAnswer => ({
  head: null,
  headDelayMs: 0,
  steps: [],
  semanticEnd: null,
  ending
})

/**
 * A stream whose connection is dropped behind its steps.
 *
 * @since 0.1.0
 * @category constructors
 */
export const droppedStream = (
  { voice, settings }: FaultContext,
  steps: ReadonlyArray<BodyStep>,
  events: ReadonlyArray<VoiceEvent> = []
): FaultAnswer => streamOf(voice, [...steps, beforeDrop(settings)], { ending: settings.resetMode }, events)

/** The beginning of a JSON reply that announces its whole length, and the connection is dropped. */
export const droppedReply = (
  { settings }: FaultContext,
  text: string,
  beginning: (bytes: Uint8Array) => Uint8Array
): FaultAnswer =>
  bodyOf(beginning(utf8.encode(text)), {
    headers: jsonHeaders(text),
    after: [beforeDrop(settings)],
    ending: settings.resetMode
  })

/** The frames of some events. */
export const framesOf = (events: ReadonlyArray<SseEvent>, lineEnding: LineEnding = "lf"): ReadonlyArray<string> =>
  events.map((event) => encodeEvent(event, lineEnding))

/** Exactly so many bytes of a stream: whole events, and what is left of them of the next one. */
export const cutSteps = (frames: ReadonlyArray<string>, bytesMax: number): ReadonlyArray<BodyStep> => {
  const steps: Array<BodyStep> = []
  let left = bytesMax
  for (const frame of frames) {
    const bytes = utf8.encode(frame)
    if (bytes.byteLength > left) {
      if (left > 0) steps.push({ kind: "bytes", bytes: bytes.subarray(0, left), events: 0 })
      break
    }
    steps.push({ kind: "event", frame })
    left -= bytes.byteLength
  }
  return steps
}

/** The bytes of a stream, and the places where its events end. */
export interface StreamBytes {
  readonly bytes: Uint8Array
  readonly ends: ReadonlyArray<number>
}

/** @since 0.1.0 @category constructors */
export const streamBytes = (frames: ReadonlyArray<string>): StreamBytes => {
  let end = 0
  const ends = frames.map((frame) => {
    end += utf8.encode(frame).byteLength
    return end
  })
  return { bytes: utf8.encode(frames.join("")), ends }
}

/**
 * Bytes in chunks that end at the borders, in ascending order, each counting the events that it completes. So long a body
 * is refused where options are checked; where its length was not known there, what is left behind the last border that an
 * answer may have is one chunk.
 *
 * @since 0.1.0
 * @category constructors
 */
export const chunkSteps = (
  { bytes, ends }: StreamBytes,
  borders: ReadonlyArray<number>
): ReadonlyArray<Extract<BodyStep, { readonly kind: "bytes" }>> => {
  let from = 0
  let complete = 0
  return [...borders.slice(0, piecesMax), bytes.byteLength].map((to) => {
    const before = complete
    while ((ends[complete] ?? Number.POSITIVE_INFINITY) <= to) complete++
    const chunk = bytes.subarray(from, to)
    from = to
    return { kind: "bytes", bytes: chunk, events: complete - before }
  })
}

/** A JSON reply in chunks that end at the borders; it has no length, or there would be no chunks. */
export const chunkedReply = (text: string, borders: (bytes: Uint8Array) => ReadonlyArray<number>): FaultAnswer => {
  const bytes = utf8.encode(text)
  return bodyOf("", { before: chunkSteps({ bytes, ends: [] }, borders(bytes)) })
}

/** Every place inside a character of several bytes. */
export const placesInCharacters = (bytes: Uint8Array): ReadonlyArray<number> =>
  placesWhere(bytes, (byte) => (byte & 0xc0) === 0x80)

/** Every place between a carriage return and its line feed. */
export const placesInLineEnds = (bytes: Uint8Array): ReadonlyArray<number> =>
  placesWhere(bytes, (byte, at) => byte === 0x0a && bytes[at - 1] === 0x0d)

const placesWhere = (bytes: Uint8Array, isPlace: (byte: number, at: number) => boolean): ReadonlyArray<number> =>
  Array.from(bytes.keys()).filter((at) => isPlace(bytes[at] ?? 0, at))

/** A JSON reply over several lines, each ending in CR and LF. */
export const crlfJson = (text: string): string => JSON.stringify(JSON.parse(text), null, 2).replaceAll("\n", "\r\n")
