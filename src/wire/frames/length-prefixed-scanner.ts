import type { FrameProblem, FrameScanner } from "./framing.ts"
import { type HeaderReader, headedScanner, headerIncomplete } from "./headed-scanner.ts"
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

const prefixReader = ({
  prefixBytes = 4,
  endian = "big",
  includesPrefix = false,
  bodyBytesMax = frameBodyBytesMax
}: LengthPrefixedOptions): HeaderReader => {
  const isBig = endian === "big"
  const ownBytes = includesPrefix ? prefixBytes : 0
  const skipped = { frames: 0, endedAt: 0, headerBytes: prefixBytes, totalBytes: 0 }
  const isUsual = isBig && prefixBytes === 4
  const lengthAt = (chunk: Uint8Array, at: number): number => {
    let said = 0
    for (let place = 0; place < prefixBytes; place++)
      said = said * 256 + (chunk[isBig ? at + place : at + prefixBytes - 1 - place] ?? 0)
    return said
  }
  let held = 0
  let length = 0
  let bodyBytes = headerIncomplete
  let failure: FrameProblem | null = null
  return {
    take(chunk, from) {
      const end = Math.min(chunk.length, from + prefixBytes - held)
      for (let at = from; at < end; at++) {
        const byte = chunk[at] ?? 0
        // Eight bytes may say more than a number is exact for, and are over every limit long before.
        length = isBig ? length * 256 + byte : length + byte * 256 ** held
        held++
      }
      if (held < prefixBytes) {
        bodyBytes = headerIncomplete
        return end
      }
      bodyBytes = length - ownBytes
      if (bodyBytes < 0) {
        const message = `the length of a frame is ${length}, and its prefix alone has ${prefixBytes} bytes`
        failure = { reason: "bad header", message }
      }
      held = 0
      length = 0
      return end
    },
    skip(chunk, from, most) {
      const size = chunk.length
      let at = from
      let count = 0
      let bytes = 0
      while (count < most && at + prefixBytes <= size) {
        const body = (isUsual ? fourBytesAt(chunk, at) : lengthAt(chunk, at)) - ownBytes
        if (body < 0 || body > bodyBytesMax || body > size - at - prefixBytes) break
        bytes = prefixBytes + body
        at += bytes
        count++
      }
      skipped.frames = count
      skipped.endedAt = at
      skipped.totalBytes = bytes
    },
    skipped,
    get bodyBytes() {
      return bodyBytes
    },
    kind: null,
    get failure() {
      return failure
    }
  }
}

/** The same for the usual prefix, several times as fast. */
const fourBytesAt = (chunk: Uint8Array, at: number): number =>
  (((chunk[at] ?? 0) << 24) | ((chunk[at + 1] ?? 0) << 16) | ((chunk[at + 2] ?? 0) << 8) | (chunk[at + 3] ?? 0)) >>> 0
