import type { FramePart, FrameWish } from "../../wire/frames/frame-reader.ts"
import type { FrameProblem } from "../../wire/frames/framing.ts"

/**
 * What a direction is in the middle of: a head, a body, what follows a connection that is HTTP no more. Parts are asked for before more
 * is read.
 *
 * @since 0.1.0
 * @category models
 */
export interface HttpStage {
  /** Whether it is that a message may begin, and none has been given in part. */
  readonly isBetween: boolean
  /** Reads on in a chunk, at least a byte. Gives the offset that it has read to. Not called when it has a problem or is over. */
  take(chunk: Uint8Array, from: number): number
  give(wish: FrameWish): FramePart | null
  /** What follows, when there is nothing left to read or give; null before. */
  following(): HttpStage | null
  /** Why it cannot go on behind what it gives. */
  problem(): FrameProblem | null
  /** The input has ended behind all that was taken, which may make something whole. */
  close(): void
  /** Gives what will never be whole. */
  end(): FramePart | null
  isInFrame(): boolean
  openBytes(): number
  heldBytes(): number
}

/** The problem of bytes that are not what they should be. */
export const badBytes = (message: string): FrameProblem => ({ reason: "bad header", message })

/** Bytes that are no frame, or no whole one. */
export const looseBytes = (bytes: Uint8Array): FramePart | null =>
  bytes.length === 0 ? null : { bytes, frames: 0, last: null, isWhole: false, envelope: null }

/** A whole frame. */
export const wholeFrame = (bytes: Uint8Array, kind: string, headerBytes: number): FramePart => ({
  bytes,
  frames: 1,
  last: { headerBytes, totalBytes: bytes.length, kind },
  isWhole: true,
  envelope: null
})
