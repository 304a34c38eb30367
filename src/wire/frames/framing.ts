/** Why a stream cannot go on: it is no sequence of frames from here, or a frame is longer than the limit. */
export interface FrameProblem {
  readonly reason: "too long" | "bad header"
  readonly message: string
}

/**
 * Finds the frames of a stream, wherever the bytes are cut on their way. It keeps no bodies: it counts. What it has found stands in
 * its fields, as a stream may have a frame every few bytes.
 *
 * @since 0.1.0
 * @category encoding
 */
export interface FrameScanner {
  /**
   * Reads on in a chunk from an offset, past frames until `most` of them counted, one or more. **Gives** the offset that it has read
   * to: the end of counted frame number `most`, or of the chunk; with a `failure`, after which it is not called, no matter what.
   */
  advance(chunk: Uint8Array, from: number, most: number): number
  /** How many frames ended in the last advance, of those that count. */
  readonly frames: number
  /** The offset behind the last frame, counted or not; where the advance began, when there was none. */
  readonly endedAt: number
  /** Of the frame that ended last. */
  readonly headerBytes: number
  readonly totalBytes: number
  readonly kind: string | null
  /** How many bytes of the frame that is not complete have been read. */
  readonly openBytes: number
  /** How many it will have; `null` where that is not known yet. */
  readonly openTotalBytes: number | null
  /** Whether its header has been read, so that it can be refused no more for what it says there. */
  readonly isHeaderComplete: boolean
  readonly failure: FrameProblem | null
}

/** The problem of a length that was announced, and is over the limit. */
export const tooLong = (what: string, bytes: number, bytesMax: number): FrameProblem => ({
  reason: "too long",
  message: `${what} has ${bytes} bytes; at most ${bytesMax} are allowed`
})

/** The problem of what has no end within the limit. */
export const endless = (what: string, bytesMax: number): FrameProblem => ({
  reason: "too long",
  message: `${what} has more than ${bytesMax} bytes, which is all that is allowed`
})
