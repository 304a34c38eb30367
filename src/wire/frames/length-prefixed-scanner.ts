import { type FrameScanner, type HeaderReader, headedScanner } from "./framing.ts"
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
  prefixBytes = 4,
  endian = "big",
  includesPrefix = false,
  bodyBytesMax = frameBodyBytesMax
}: LengthPrefixedOptions = {}): FrameScanner => {
  let held = 0
  let length = 0
  const reader: HeaderReader = {
    bodyBytes: null,
    failure: null,
    take(chunk, from) {
      let at = from
      while (held < prefixBytes && at < chunk.length) {
        const byte = chunk[at++] ?? 0
        // Eight bytes may say more than a number is exact for, and are over every limit long before.
        length = endian === "big" ? length * 256 + byte : length + byte * 256 ** held
        held++
      }
      if (held < prefixBytes) return at
      const bodyBytes = includesPrefix ? length - prefixBytes : length
      if (bodyBytes < 0) {
        const message = `the length of a frame is ${length}, and its prefix alone has ${prefixBytes} bytes`
        reader.failure = { reason: "bad header", message }
      } else reader.bodyBytes = bodyBytes
      held = 0
      length = 0
      return at
    }
  }
  return headedScanner(reader, bodyBytesMax)
}
