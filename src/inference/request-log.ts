import type { Header } from "../domain/request.ts"
import { byteLength } from "../serving/scripted-plan.ts"
import type { LogEntry } from "./log-entry.ts"
import { entryOf, freshSlot, type LoggedRequest, type LogRecord, recordOf, type Slot } from "./log-slot.ts"

/** How much a request log keeps: entries, and bytes of text (headers and bodies of requests, bodies of answers). */
export interface LogBounds {
  readonly logEntriesMax: number
  readonly logBytesMax: number
}

/** 1,024 entries and 4 MiB. */
export const logBoundsDefault: LogBounds = { logEntriesMax: 1_024, logBytesMax: 4 * 1024 * 1024 }

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
  /**
   * Calls `see` for every later request, kept or not: when it arrives, when it was decided on and when its answer has
   * ended. The function it gives ends that. What `see` throws is not caught.
   */
  watch(see: (entry: LogEntry) => void): () => void
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
    slot.miss = null
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

  const keepMiss = (slot: Slot, miss: string): void => {
    if (slot.isTrimmed || slot.isEvicted) return
    slot.miss = miss
    slot.heldByRequest += miss.length
    hold(slot, miss.length)
  }

  const show = (slot: Slot): void => {
    if (watchers.size === 0) return
    const entry = entryOf(slot)
    for (const see of [...watchers]) see(entry)
  }

  return {
    add({ method, path, bodyText, authorization, headers }) {
      const slot = freshSlot({ method, path, bodyText, authorization, headers }, { number: ++count, isKept: isKeeping })
      if (isKeeping) {
        slots.push(slot)
        slot.heldByRequest = requestBytes(path, bodyText, headers)
        hold(slot, slot.heldByRequest)
        while (slots.length - first > bounds.logEntriesMax) dropOldest()
      }
      show(slot)
      return recordOf(slot, { keepPiece, keepMiss, show })
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
