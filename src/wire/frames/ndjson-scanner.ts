import { type FrameEnd, type FrameProblem, type FrameScanner, tooLong } from "./framing.ts"
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
  let held = 0
  let failure: FrameProblem | null = null
  return {
    scan(chunk) {
      const ends: Array<FrameEnd> = []
      let from = 0
      while (failure === null && from < chunk.length) {
        const lineFeed = chunk.indexOf(0x0a, from)
        const at = lineFeed < 0 ? chunk.length : lineFeed + 1
        held += at - from
        from = at
        failure = tooLong("a line", held, lineBytesMax)
        if (failure !== null || lineFeed < 0) break
        ends.push({ at, headerBytes: 0, totalBytes: held })
        held = 0
      }
      return { ends, failure }
    },
    open: () => ({ bytes: held, totalBytes: null, headerBytes: held === 0 ? null : 0 })
  }
}
