import type { FrameScanner } from "./framing.ts"

/**
 * A scanner that takes every chunk for a frame: where frames end says nothing but how the bytes arrived.
 *
 * **Source** agent-harness.md, section 6.2
 *
 * @since 0.1.0
 * @category constructors
 */
export const opaqueScanner = (): FrameScanner => {
  let totalBytes = 0
  let endedAt = 0
  return {
    advance(chunk, from) {
      totalBytes = chunk.length - from
      endedAt = chunk.length
      return endedAt
    },
    frames: 1,
    get endedAt() {
      return endedAt
    },
    headerBytes: 0,
    get totalBytes() {
      return totalBytes
    },
    kind: null,
    openBytes: 0,
    openTotalBytes: null,
    isHeaderComplete: true,
    failure: null
  }
}
