import type { RequestKind } from "../domain/classification.ts"
import type { Outcome, Settlement } from "../domain/outcome.ts"
import { firstHeader, type Header } from "../domain/request.ts"
import type { AnswerSource } from "../domain/trace-event.ts"
import { byteLength } from "../serving/scripted-plan.ts"
import type { AnswerRecord, LogEntry } from "./log-entry.ts"
import { once } from "./once.ts"

/** What the log takes of a request. `bodyText` is `null` where the route has no body. */
export interface LoggedRequest {
  readonly method: string
  readonly path: string
  readonly bodyText: string | null
  readonly authorization: string | undefined
  readonly headers: ReadonlyArray<Header>
}

/** A request while it is being answered. */
export interface LogRecord {
  readonly number: number
  answered(by: AnsweredBy): void
  /** Who asks, once that is known. */
  identified(place: ConversationPlace): void
  headSent(status: number): void
  served(bytes: string | Uint8Array, events: number): void
  settled(as: Settlement): void
  ended(outcome: Outcome): void
  readonly bytes: number
  readonly events: number
}

/** Where an answer comes from. */
export interface AnsweredBy extends Pick<AnswerRecord, "source"> {
  readonly expectation?: string | null
  readonly kind?: RequestKind
  readonly miss?: string | null
}

/** The place of a request in its conversation. */
export interface ConversationPlace {
  readonly session: string
  readonly turn: number
  readonly attempt: number | null
}

const unknownPlace = { session: null, turn: null, attempt: null }

/** One entry while it changes; only its record and the bounds of the log write it. */
export interface Slot {
  readonly number: number
  readonly method: string
  path: string
  authorization: string | undefined
  headers: ReadonlyArray<Header>
  bodyText: string | null
  readonly pieces: Array<string | Uint8Array>
  /** Bytes of text that this slot holds, and those of them that are the request's own. */
  held: number
  heldByRequest: number
  isTrimmed: boolean
  isEvicted: boolean
  source: AnswerSource
  expectation: string | null
  kind: RequestKind | null
  place: ConversationPlace | null
  miss: string | null
  status: number | null
  bytes: number
  events: number
  settled: Settlement | null
  outcome: Outcome | null
}

/** @since 0.1.0 @category constructors */
export const freshSlot = (
  { method, path, bodyText, authorization, headers }: LoggedRequest,
  { number, isKept }: { readonly number: number; readonly isKept: boolean }
): Slot => ({
  number,
  method,
  path,
  authorization,
  headers,
  bodyText,
  pieces: [],
  held: 0,
  heldByRequest: 0,
  isTrimmed: false,
  isEvicted: !isKept,
  source: "resource",
  expectation: null,
  kind: null,
  place: null,
  miss: null,
  status: null,
  bytes: 0,
  events: 0,
  settled: null,
  outcome: null
})

/** What keeps texts within the bounds of the log, and shows a request to those who watch when more is known of it. */
interface Keeping {
  readonly keepPiece: (slot: Slot, bytes: string | Uint8Array, length: number) => void
  readonly keepMiss: (slot: Slot, miss: string) => void
  readonly show: (slot: Slot) => void
}

/** @since 0.1.0 @category constructors */
export const recordOf = (slot: Slot, { keepPiece, keepMiss, show }: Keeping): LogRecord => ({
  number: slot.number,
  answered({ source, expectation = null, kind = null, miss = null }) {
    slot.source = source
    slot.expectation = expectation
    slot.kind = kind
    if (miss !== null) keepMiss(slot, miss)
    show(slot)
  },
  identified(place) {
    slot.place = place
  },
  headSent(status) {
    slot.status = status
  },
  served(bytes, events) {
    const length = byteLength(bytes)
    slot.bytes += length
    slot.events += events
    keepPiece(slot, bytes, length)
  },
  settled(as) {
    slot.settled = as
  },
  ended(outcome) {
    slot.outcome = outcome
    show(slot)
  },
  get bytes() {
    return slot.bytes
  },
  get events() {
    return slot.events
  }
})

/** A snapshot: it does not change when the slot does. The body is parsed when it is first looked at. */
export const entryOf = (slot: Slot): LogEntry => {
  const { number, method, path, kind, authorization, headers, bodyText, isTrimmed } = slot
  const pieces = isTrimmed ? null : [...slot.pieces]
  const { source, expectation, miss, status, bytes, events, settled, outcome } = slot
  const { session, turn, attempt } = slot.place ?? unknownPlace
  const parsed = once(() => (bodyText === null ? undefined : parse(bodyText)))
  const text = once(() => (pieces === null ? undefined : joinText(pieces)))
  const answer: AnswerRecord = {
    source,
    expectation,
    miss,
    status,
    get text() {
      return text()
    },
    bytes,
    events,
    settled,
    outcome
  }
  const entry = {
    number,
    method,
    path,
    kind,
    session,
    turn,
    attempt,
    get body() {
      return parsed()
    },
    authorization,
    headers,
    answer,
    isTrimmed,
    header: (name: string) => firstHeader(headers, name.toLowerCase()),
    // Printed with its values, for a body that is parsed when it is looked at would show as a getter.
    [inspected]: () => ({
      number,
      method,
      path,
      kind,
      session,
      turn,
      attempt,
      body: parsed(),
      authorization,
      headers,
      answer: { ...answer, text: text() },
      isTrimmed
    })
  }
  return entry
}

/** The name under which `console.log` and test reports look for another form of a value. */
const inspected = Symbol.for("nodejs.util.inspect.custom")

const parse = (text: string): unknown => JSON.parse(text)

const joinText = (pieces: ReadonlyArray<string | Uint8Array>): string =>
  pieces.every((piece) => typeof piece === "string")
    ? pieces.join("")
    : Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString("utf8")
