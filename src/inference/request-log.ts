import type { RequestKind } from "../domain/classification.ts"
import type { Outcome, Settlement } from "../domain/outcome.ts"
import { firstHeader, type Header } from "../domain/request.ts"
import type { AnswerSource } from "../domain/trace-event.ts"
import { byteLength } from "../serving/scripted-plan.ts"
import type { AnswerRecord, LogEntry } from "./log-entry.ts"

/** How much a request log keeps: entries, and bytes of text (headers and bodies of requests, bodies of answers). */
export interface LogBounds {
  readonly logEntriesMax: number
  readonly logBytesMax: number
}

/** 1,024 entries and 4 MiB. */
export const logBoundsDefault: LogBounds = { logEntriesMax: 1_024, logBytesMax: 4 * 1024 * 1024 }

/** A request while it is being answered. */
export interface LogRecord {
  readonly number: number
  answered(source: AnswerSource, expectation: string | null, kind?: RequestKind): void
  headSent(status: number): void
  served(bytes: string | Uint8Array, events: number): void
  settled(as: Settlement): void
  ended(outcome: Outcome): void
  readonly bytes: number
  readonly events: number
}

/**
 * The newest requests, oldest first. Past the bound of entries the oldest goes; past the bound of bytes the text of the
 * oldest goes (headers, bodies) and its entry stays, trimmed. The text of the newest request is always kept.
 *
 * **Source** inference-server.md, section 9
 *
 * @since 0.1.0
 * @category log
 */
export interface RequestLog {
  add(request: LoggedRequest): LogRecord
  /** Requests since the start, kept or not. */
  count(): number
  entries(): ReadonlyArray<LogEntry>
  setKeep(keep: boolean): void
  /** Calls `see` for every later request, kept or not; the function it gives ends that. What `see` throws is not caught. */
  watch(see: (entry: LogEntry) => void): () => void
}

/** What the log takes of a request. `bodyText` is `null` where the route has no body. */
export interface LoggedRequest {
  readonly method: string
  readonly path: string
  readonly bodyText: string | null
  readonly authorization: string | undefined
  readonly headers: ReadonlyArray<Header>
}

interface Slot {
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
  status: number | null
  bytes: number
  events: number
  settled: Settlement | null
  outcome: Outcome | null
}

/** A trimmed entry keeps this much of its path. */
const trimmedPathMax = 256

/** Evicted slots are taken out of the list this many at a time. */
const evictedMax = 256

/** @since 0.1.0 @category constructors */
export const makeRequestLog = (bounds: LogBounds): RequestLog => {
  let slots: Array<Slot> = []
  /** Index of the oldest slot that is kept, and of the oldest that still holds text. */
  let first = 0
  let firstHeld = 0
  let held = 0
  let count = 0
  let isKeeping = true
  const watchers = new Set<(entry: LogEntry) => void>()

  const hold = (slot: Slot, bytes: number): void => {
    slot.held += bytes
    held += bytes
    while (held > bounds.logBytesMax && firstHeld < slots.length - 1) trim(slots[firstHeld++])
  }
  const trim = (slot: Slot | undefined): void => {
    if (slot === undefined || slot.held === 0) return
    held -= slot.held
    slot.held = 0
    slot.bodyText = null
    slot.headers = []
    slot.authorization = undefined
    slot.path = slot.path.slice(0, trimmedPathMax)
    slot.pieces.length = 0
    slot.isTrimmed = true
  }
  const dropOldest = (): void => {
    const slot = slots[first++]
    if (slot === undefined) return
    trim(slot)
    slot.isEvicted = true
    firstHeld = Math.max(firstHeld, first)
    if (first < evictedMax) return
    slots = slots.slice(first)
    firstHeld -= first
    first = 0
  }
  const keepPiece = (slot: Slot, bytes: string | Uint8Array, length: number): void => {
    if (slot.isTrimmed || slot.isEvicted) return
    if (slot.held + length > bounds.logBytesMax) {
      // An answer that fills the log alone is counted and not kept; the request's own text stays.
      held -= slot.held - slot.heldByRequest
      slot.held = slot.heldByRequest
      slot.pieces.length = 0
      slot.isTrimmed = true
      return
    }
    slot.pieces.push(bytes)
    hold(slot, length)
  }

  return {
    add({ method, path, bodyText, authorization, headers }) {
      const slot: Slot = {
        number: ++count,
        method,
        path,
        authorization,
        headers,
        bodyText,
        pieces: [],
        held: 0,
        heldByRequest: 0,
        isTrimmed: false,
        isEvicted: !isKeeping,
        source: "resource",
        expectation: null,
        kind: null,
        status: null,
        bytes: 0,
        events: 0,
        settled: null,
        outcome: null
      }
      if (isKeeping) {
        slots.push(slot)
        slot.heldByRequest = requestBytes(path, bodyText, headers)
        hold(slot, slot.heldByRequest)
        while (slots.length - first > bounds.logEntriesMax) dropOldest()
      }
      if (watchers.size > 0) {
        const entry = entryOf(slot)
        for (const see of [...watchers]) see(entry)
      }
      return recordOf(slot, keepPiece)
    },
    count: () => count,
    entries: () => slots.slice(first).map(entryOf),
    setKeep(keep) {
      isKeeping = keep
    },
    watch(see) {
      watchers.add(see)
      return () => watchers.delete(see)
    }
  }
}

/** What a request costs the log: its texts, and about as much for each header and each entry as they take in memory. */
const requestBytes = (path: string, bodyText: string | null, headers: ReadonlyArray<Header>): number => {
  let bytes = entryBytes + path.length + (bodyText === null ? 0 : byteLength(bodyText))
  for (const [name, value] of headers) bytes += entryBytes + name.length + value.length
  return bytes
}

const entryBytes = 64

const recordOf = (
  slot: Slot,
  keepPiece: (slot: Slot, bytes: string | Uint8Array, length: number) => void
): LogRecord => ({
  number: slot.number,
  answered(source, expectation, kind) {
    slot.source = source
    slot.expectation = expectation
    slot.kind = kind ?? null
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
  },
  get bytes() {
    return slot.bytes
  },
  get events() {
    return slot.events
  }
})

/** A snapshot: it does not change when the slot does. The body is parsed when it is first looked at. */
const entryOf = (slot: Slot): LogEntry => {
  const { number, method, path, kind, authorization, headers, bodyText, isTrimmed } = slot
  const pieces = isTrimmed ? null : [...slot.pieces]
  const { source, expectation, status, bytes, events, settled, outcome } = slot
  const parsed = once(() => (bodyText === null ? undefined : parse(bodyText)))
  const text = once(() => (pieces === null ? undefined : joinText(pieces)))
  const answer: AnswerRecord = {
    source,
    expectation,
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

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const joinText = (pieces: ReadonlyArray<string | Uint8Array>): string =>
  pieces.every((piece) => typeof piece === "string")
    ? pieces.join("")
    : Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString("utf8")
