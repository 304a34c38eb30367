/**
 * The end of what a process wrote to one stream.
 *
 * **Source** agent-harness.md, section 1.9.3
 *
 * @since 0.1.0
 * @category processes
 */
export interface OutputTail {
  /** All bytes that came, also those that are no longer kept. */
  bytesSeen(): number
  /** Whether any byte has been dropped. */
  isTruncated(): boolean
  /** Why reading ended where that was no end of the stream; `null` otherwise. */
  readError(): string | null
  /** A copy of the last bytes, as they came. */
  bytes(): Uint8Array
  /** The same as text. A character that was cut at the front is left out; other bytes that are no UTF-8 become U+FFFD. */
  text(): string
}

/** A tail and what fills it. */
export interface FilledTail extends OutputTail {
  push(bytes: Uint8Array): void
  fail(problem: string): void
}

/** So many bytes before the tail can belong to a character whose end is in it. */
const characterRest = 3

/** @since 0.1.0 @category constructors */
export const makeOutputTail = (capacity: number): FilledTail => {
  const kept = capacity + characterRest
  let buffer = new Uint8Array(0)
  let length = 0
  let bytesSeen = 0
  let readError: string | null = null

  /** Makes room behind what is kept, growing to at most twice of it. */
  const makeRoom = (more: number): void => {
    if (length + more <= buffer.length) return
    const keep = Math.min(length, kept)
    const from = buffer.subarray(length - keep, length)
    const size = Math.min(2 * kept, Math.max(keep + more, 2 * buffer.length))
    const next = size > buffer.length ? new Uint8Array(size) : buffer
    // Within one buffer this moves to the front, and copes with what overlaps.
    next.set(from, 0)
    buffer = next
    length = keep
  }

  return {
    push(bytes) {
      bytesSeen += bytes.byteLength
      const last = bytes.byteLength > kept ? bytes.subarray(bytes.byteLength - kept) : bytes
      makeRoom(last.byteLength)
      buffer.set(last, length)
      length += last.byteLength
    },
    fail(problem) {
      readError = problem
    },
    bytesSeen: () => bytesSeen,
    isTruncated: () => bytesSeen > capacity,
    readError: () => readError,
    bytes: () => buffer.slice(Math.max(0, length - capacity), length),
    text() {
      const start = Math.max(0, length - capacity)
      const all = buffer.subarray(0, length)
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(all.subarray(start + cutBytes(all, start)))
    }
  }
}

/** How many bytes from `start` on are the rest of a character that began before it. */
const cutBytes = (bytes: Uint8Array, start: number): number => {
  for (let back = 1; back <= Math.min(characterRest, start); back++) {
    const size = characterSize(bytes[start - back] ?? 0)
    if (size === 0) continue
    if (size <= back) return 0
    const character = bytes.subarray(start - back, Math.min(bytes.length, start - back + size))
    return isBeginning(character) ? character.byteLength - back : 0
  }
  return 0
}

/** How long the character is that begins with a byte; 0 when none does. */
const characterSize = (byte: number): number => {
  if (byte < 0x80) return 1
  if (byte >= 0xc2 && byte <= 0xdf) return 2
  if (byte >= 0xe0 && byte <= 0xef) return 3
  if (byte >= 0xf0 && byte <= 0xf4) return 4
  return 0
}

/** Whether bytes are a character, or the beginning of one. */
const isBeginning = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
