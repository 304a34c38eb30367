import type { FrameProblem, FrameScanner } from "./framing.ts"
import { type HeaderReader, headedScanner, headerIncomplete, type SkippedFrames } from "./headed-scanner.ts"
import { frameBodyBytesMax } from "./length-prefixed.ts"

/** How the prefix says the length of the body, which it counts without itself unless `includesPrefix`. */
export interface LengthPrefixedOptions {
  readonly prefixBytes?: 1 | 2 | 4 | 8
  readonly endian?: "big" | "little"
  readonly includesPrefix?: boolean
  readonly bodyBytesMax?: number
}

/**
 * A scanner of frames that begin with the length of their body, unsigned.
 *
 * **Fails** as soon as the prefix is there: a body over `bodyBytesMax` is too long, a length shorter than the prefix that
 * it includes is a bad header
 * **Source** agent-harness.md, section 6.2
 *
 * @since 0.1.0
 * @category constructors
 */
export const lengthPrefixedScanner = ({
  bodyBytesMax = frameBodyBytesMax,
  ...options
}: LengthPrefixedOptions = {}): FrameScanner => headedScanner(prefixReader({ ...options, bodyBytesMax }), bodyBytesMax)

/** What a prefix looks like. */
interface Prefix {
  readonly prefixBytes: 1 | 2 | 4 | 8
  readonly isLittle: boolean
  /** How much of the length that it says it is itself. */
  readonly ownBytes: number
  readonly bodyBytesMax: number
}

const prefixReader = ({
  prefixBytes = 4,
  endian = "big",
  includesPrefix = false,
  bodyBytesMax = frameBodyBytesMax
}: LengthPrefixedOptions): HeaderReader => {
  const isLittle = endian === "little"
  const prefix: Prefix = { prefixBytes, isLittle, ownBytes: includesPrefix ? prefixBytes : 0, bodyBytesMax }
  const skipped = { frames: 0, endedAt: 0, headerBytes: prefixBytes, totalBytes: 0 }
  let held = 0
  let length = 0
  let bodyBytes = headerIncomplete
  let failure: FrameProblem | null = null

  const close = (): void => {
    bodyBytes = length - prefix.ownBytes
    if (bodyBytes < 0) {
      const message = `the length of a frame is ${length}, and its prefix alone has ${prefixBytes} bytes`
      failure = { reason: "bad header", message }
    }
    held = 0
    length = 0
  }

  return {
    take(chunk, from) {
      const end = Math.min(chunk.length, from + prefixBytes - held)
      for (let at = from; at < end; at++) {
        const byte = chunk[at] ?? 0
        // Eight bytes may say more than a number is exact for, and are over every limit long before.
        length = isLittle ? length + byte * 256 ** held : length * 256 + byte
        held++
      }
      bodyBytes = headerIncomplete
      if (held === prefixBytes) close()
      return end
    },
    skip(chunk, from, most) {
      passOver(chunk, from, most, prefix, skipped)
    },
    skipped,
    get bodyBytes() {
      return bodyBytes
    },
    kind: null,
    isCounted: true,
    get failure() {
      return failure
    }
  }
}

/** One pass over a chunk, whose every nanosecond is one for each frame of a proxy: all its numbers are small, and no memory is taken. */
const passOver = (chunk: Uint8Array, from: number, most: number, prefix: Prefix, skipped: SkippedFrames): void => {
  const { prefixBytes, isLittle, ownBytes, bodyBytesMax } = prefix
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length)
  const size = chunk.length
  const frames = Math.min(most, size)
  let at = from
  let count = 0
  let bytes = 0
  while (count < frames && at + prefixBytes <= size) {
    // Four bytes that read as a negative number say more than any limit, so they are left to `take` like all others.
    const length = prefixBytes === 4 ? view.getInt32(at, isLittle) : lengthAt(view, at, prefix)
    const body = length - ownBytes
    if (body < 0 || body > bodyBytesMax || body > size - at - prefixBytes) break
    bytes = prefixBytes + body
    at += bytes
    count++
  }
  skipped.frames = count
  skipped.endedAt = at
  skipped.totalBytes = bytes
}

const lengthAt = (view: DataView, at: number, { prefixBytes, isLittle }: Prefix): number => {
  if (prefixBytes === 1) return view.getUint8(at)
  return prefixBytes === 2 ? view.getUint16(at, isLittle) : Number(view.getBigUint64(at, isLittle))
}
