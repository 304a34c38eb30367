import { makeBoundedList } from "../../domain/bounded-list.ts"
import { wireLogBytesMax, wireLogEntriesMax } from "../../domain/session-limits.ts"

/**
 * One line of a wire, as it was written.
 *
 * **Source** agent-harness.md, section 2.2
 *
 * @since 0.1.0
 * @category models
 */
export interface WireEntry {
  /** Running number of the line among those of both directions, from 1. */
  readonly seq: number
  /** `in` comes from the agent. */
  readonly direction: "in" | "out"
  /** Milliseconds on the clock of the session. */
  readonly at: number
  /** With its terminator. */
  readonly bytes: Uint8Array
  /** Without its terminator; bytes that are no UTF-8 are U+FFFD. */
  readonly text: string
  /** Its value as JSON; `undefined` when it is none. Read anew each time. */
  readonly parsed: unknown
  /** Why it is no JSON; `null` when it is. */
  readonly parseError: string | null
}

/**
 * The lines of a session, both ways, the newest of them.
 *
 * @since 0.1.0
 * @category models
 */
export interface WireLog {
  entries(): ReadonlyArray<WireEntry>
  /** Whether lines were dropped: beyond 64 MiB, or 100,000 lines. */
  isTruncated(): boolean
  /** What the agent wrote: the bytes of all lines that came in and are kept. */
  inboundBytes(): Uint8Array
  /** Calls `see` for every later line, kept or not, before anything is done about it; the function it gives ends that. */
  watch(see: (entry: WireEntry) => void): () => void
}

/** A log and what fills it. */
export interface FilledLog extends WireLog {
  /** Gives the number of the line. */
  add(direction: "in" | "out", bytes: Uint8Array): number
}

/** @since 0.1.0 @category constructors */
export const makeWireLog = (
  now: () => number,
  { entriesMax = wireLogEntriesMax, bytesMax = wireLogBytesMax }: { entriesMax?: number; bytesMax?: number } = {}
): FilledLog => {
  const kept = makeBoundedList<WireEntry>({ entriesMax, bytesMax })
  const watchers = new Set<(entry: WireEntry) => void>()
  return {
    add(direction, bytes) {
      const seq = kept.total() + 1
      const entry = entryOf({ seq, direction, at: now(), bytes })
      kept.push(entry, bytes.byteLength)
      for (const see of watchers) see(entry)
      return seq
    },
    entries: kept.items,
    isTruncated: kept.isTruncated,
    inboundBytes() {
      const lines = kept.items().filter(({ direction }) => direction === "in")
      const whole = new Uint8Array(lines.reduce((sum, { bytes }) => sum + bytes.byteLength, 0))
      let at = 0
      for (const { bytes } of lines) {
        whole.set(bytes, at)
        at += bytes.byteLength
      }
      return whole
    },
    watch(see) {
      watchers.add(see)
      return () => watchers.delete(see)
    }
  }
}

/** Text and value are made when they are asked for: most lines are never looked at again. */
const entryOf = (entry: Pick<WireEntry, "seq" | "direction" | "at" | "bytes">): WireEntry => ({
  ...entry,
  get text() {
    return textOf(entry.bytes)
  },
  get parsed() {
    return parse(textOf(entry.bytes)).value
  },
  get parseError() {
    return parse(textOf(entry.bytes)).error
  }
})

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

const textOf = (bytes: Uint8Array): string => decoder.decode(bytes).replace(/\r?\n$/, "")

const parse = (text: string): { readonly value: unknown; readonly error: string | null } => {
  try {
    return { value: JSON.parse(text), error: null }
  } catch (error) {
    return { value: undefined, error: error instanceof Error ? error.message : "not JSON" }
  }
}
