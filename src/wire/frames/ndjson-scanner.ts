import { endless, type FrameProblem, type FrameScanner } from "./framing.ts"
import { frameBodyBytesMax } from "./length-prefixed.ts"

/**
 * A scanner of lines: a frame is what there is up to LF, and the LF.
 *
 * **Fails** as soon as a line has more than `lineBytesMax` bytes, its LF counted
 * **Source** agent-harness.md, section 6.2
 *
 * @since 0.1.0
 * @category constructors
 */
export const ndjsonScanner = ({ lineBytesMax = frameBodyBytesMax } = {}): FrameScanner => {
  let open = 0
  let frames = 0
  let endedAt = 0
  let totalBytes = 0
  let failure: FrameProblem | null = null
  return {
    advance(chunk, from, most) {
      const end = chunk.length
      let at = from
      frames = 0
      endedAt = from
      while (at < end && frames < most) {
        const lineFeed = chunk.indexOf(0x0a, at)
        const to = lineFeed < 0 ? end : lineFeed + 1
        open += to - at
        at = to
        if (open > lineBytesMax) {
          failure = endless("a line", lineBytesMax)
          break
        }
        if (lineFeed < 0) break
        frames++
        endedAt = at
        totalBytes = open
        open = 0
      }
      return at
    },
    get frames() {
      return frames
    },
    get endedAt() {
      return endedAt
    },
    headerBytes: 0,
    get totalBytes() {
      return totalBytes
    },
    kind: null,
    get openBytes() {
      return open
    },
    openTotalBytes: null,
    isHeaderComplete: true,
    get failure() {
      return failure
    }
  }
}
