import { makeByteQueue } from "./byte-queue.ts"
import { latin1Text } from "./latin1.ts"

/** A block of lines up to an empty one may have so many bytes, that line included. */
export const blockBytesMax = 65_536

/** Reads lines up to an empty one, as at the beginning of a message, and at the end of a body in chunks. */
export interface LineBlock {
  /** Reads on in a chunk. Gives the offset behind what belongs to the block; not called any more when it is complete or has a problem. */
  take(chunk: Uint8Array, from: number): number
  isComplete(): boolean
  problem(): string | null
  /** How many bytes there are. */
  bytes(): number
  /** Gives them, and keeps none. */
  given(): Uint8Array
}

/** What is read. */
export interface LineBlockOptions {
  /** Its name in messages. */
  readonly what: string
  /** Tells what is wrong with the first line as soon as it is there: on what speaks something else nobody waits. */
  readonly checkFirst?: (line: string) => string | null
  /** Whether empty lines before the first one are left out; else an empty first line is all there is. */
  readonly skipsEmpty?: boolean
}

const lf = 0x0a
const cr = 0x0d

/**
 * A reader of one block of lines. LF ends a line as CRLF does.
 *
 * **Fails** with a block over 64 KiB, and with control characters, a CR that is no end of line among them: programs differ in how they
 * read these
 * **Source** RFC 9112, section 2.2
 *
 * @since 0.1.0
 * @category constructors
 */
export const lineBlock = ({ what, checkFirst = () => null, skipsEmpty = false }: LineBlockOptions): LineBlock => {
  const held = makeByteQueue()
  let blockBytes = 0
  let lineBytes = 0
  let isAfterCr = false
  let isFirst = true
  let isComplete = false
  let problem: string | null = null

  /** What is wrong with a byte that ends no line. */
  const problemOf = (byte: number): string | null => {
    if (isAfterCr) return `${what} has a CR that ends no line`
    if ((byte >= 0x20 && byte !== 0x7f) || byte === 0x09 || byte === cr) return null
    return `${what} has the control character 0x${byte.toString(16).padStart(2, "0")}`
  }

  return {
    take(chunk, from) {
      let start = from
      for (let at = from; at < chunk.length; at++) {
        const byte = chunk[at] ?? 0
        blockBytes++
        if (blockBytes > blockBytesMax) problem = `${what} has more than ${blockBytesMax} bytes`
        else if (byte !== lf) problem = problemOf(byte)
        if (problem !== null) return at
        if (byte !== lf) {
          isAfterCr = byte === cr
          lineBytes++
          continue
        }
        const isEmpty = lineBytes === (isAfterCr ? 1 : 0)
        isAfterCr = false
        lineBytes = 0
        if (isEmpty && isFirst && skipsEmpty) {
          held.take(blockBytes)
          blockBytes = 0
          start = at + 1
          continue
        }
        if (!isEmpty && !isFirst) continue
        held.push(chunk.subarray(start, at + 1))
        start = at + 1
        isComplete = isEmpty
        if (isComplete) return start
        isFirst = false
        const line = held.take(blockBytes)
        held.push(line)
        problem = checkFirst(latin1Text(line).trimEnd())
        if (problem !== null) return start
      }
      held.push(chunk.subarray(start))
      return chunk.length
    },
    isComplete: () => isComplete,
    problem: () => problem,
    bytes: held.bytes,
    given: () => held.take(held.bytes())
  }
}
