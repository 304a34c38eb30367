import type { SkippedFrames } from "./headed-scanner.ts"

/** `Content-Length: ` and two ends of a line, four bytes a number. */
const usualStart = [0x43_6f_6e_74, 0x65_6e_74_2d, 0x4c_65_6e_67, 0x74_68_3a_20] as const
const usualEnd = 0x0d_0a_0d_0a

const startBytes = 16
const endBytes = 4
/** More digits say more than any limit. */
const digitsMax = 10

/**
 * Passes over frames whose block of headers is written as nearly everybody writes it: that one line, with CRLF. One pass over a chunk,
 * which takes no memory; each frame that it leaves costs some fifty times as much.
 *
 * @since 0.1.0
 * @category encoding
 */
export const passUsualBlocks = (
  chunk: Uint8Array,
  from: number,
  most: number,
  bodyBytesMax: number,
  skipped: SkippedFrames
): void => {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length)
  const [first, second, third, fourth] = usualStart
  const size = chunk.length
  const frames = Math.min(most, size)
  let at = from
  let count = 0
  while (count < frames && at + startBytes + 1 + endBytes <= size) {
    if (view.getInt32(at) !== first || view.getInt32(at + 4) !== second) break
    if (view.getInt32(at + 8) !== third || view.getInt32(at + 12) !== fourth) break
    const digitsAt = at + startBytes
    const last = Math.min(size - endBytes, digitsAt + digitsMax)
    let body = 0
    let end = digitsAt
    for (; end < last; end++) {
      const digit = view.getUint8(end) - 0x30
      if (digit < 0 || digit > 9) break
      body = body * 10 + digit
    }
    if (end === digitsAt || view.getInt32(end) !== usualEnd) break
    const headerBytes = end + endBytes - at
    if (body > bodyBytesMax || body > size - at - headerBytes) break
    skipped.headerBytes = headerBytes
    skipped.totalBytes = headerBytes + body
    at += headerBytes + body
    count++
  }
  skipped.frames = count
  skipped.endedAt = at
}
