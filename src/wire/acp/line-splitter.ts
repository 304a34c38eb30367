/** A line may have so many bytes, its terminator included. */
export const lineBytesMax = 67_108_864

/**
 * One line as it came.
 *
 * @since 0.1.0
 * @category models
 */
export interface Line {
  /** As they were written, the terminator included. */
  readonly bytes: Uint8Array
  /** Without LF and without a CR directly before it. */
  readonly text: string
  /** False where `text` has replacement characters for bytes that are not UTF-8. */
  readonly isUtf8: boolean
}

/** What a piece of a stream completed; `overflow` is how long a line has become that is too long, and nothing follows it. */
export interface SplitLines {
  readonly lines: ReadonlyArray<Line>
  readonly overflow: number | null
}

/**
 * Cuts a stream of bytes at LF, wherever the bytes are cut on their way.
 *
 * @since 0.1.0
 * @category models
 */
export interface LineSplitter {
  push(chunk: Uint8Array): SplitLines
  /** The stream has ended: its last line, if it had no LF. */
  end(): Line | null
}

/**
 * **Takes** `bytesMax`: the longest line, its terminator included; a longer one is told as soon as it is longer, and is not kept
 * **Source** agent-harness.md, section 2.2
 *
 * @since 0.1.0
 * @category constructors
 */
export const lineSplitter = (bytesMax: number = lineBytesMax): LineSplitter => {
  let parts: Array<Uint8Array> = []
  let held = 0
  let isOver = false

  const takeLine = (rest: Uint8Array): Line => {
    const bytes = held === 0 ? rest : joined([...parts, rest], held + rest.length)
    parts = []
    held = 0
    return lineOf(bytes)
  }

  const push = (chunk: Uint8Array): SplitLines => {
    const lines: Array<Line> = []
    let from = 0
    const overflow = (length: number): SplitLines => {
      isOver = true
      parts = []
      return { lines, overflow: length }
    }
    while (!isOver && from < chunk.length) {
      const at = chunk.indexOf(lineFeed, from)
      const end = at < 0 ? chunk.length : at + 1
      const length = held + end - from
      // Without its LF a line of the greatest length is already too long.
      if (length > bytesMax || (at < 0 && length === bytesMax)) return overflow(length)
      const piece = chunk.subarray(from, end)
      from = end
      if (at >= 0) lines.push(takeLine(piece))
      else {
        parts.push(piece)
        held = length
      }
    }
    return { lines, overflow: null }
  }
  const end = (): Line | null => (held === 0 || isOver ? null : takeLine(new Uint8Array()))
  return { push, end }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const tolerant = new TextDecoder("utf-8", { ignoreBOM: true })

const lineOf = (bytes: Uint8Array): Line => {
  const isWhole = bytes.at(-1) === lineFeed
  const cut = !isWhole ? 0 : bytes.at(-2) === carriageReturn ? 2 : 1
  const content = bytes.subarray(0, bytes.length - cut)
  try {
    return { bytes, text: strict.decode(content), isUtf8: true }
  } catch {
    return { bytes, text: tolerant.decode(content), isUtf8: false }
  }
}

const joined = (parts: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
