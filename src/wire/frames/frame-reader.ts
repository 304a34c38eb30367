import type { FrameProblem } from "./framing.ts"

/** What is told of a frame with its last byte. */
export interface FrameShape {
  readonly headerBytes: number
  readonly totalBytes: number
  /** What kind of frame the framing says it is; `null` where it knows but one. */
  readonly kind: string | null
}

/**
 * The next bytes of a direction, as a reader gives them. Nobody writes into them.
 *
 * @since 0.1.0
 * @category encoding
 */
export interface FramePart {
  readonly bytes: Uint8Array
  /** How many frames end in these bytes. */
  readonly frames: number
  /** The frame that ends with the last byte; `null` where none does. */
  readonly last: FrameShape | null
  /** Whether the bytes are the whole of one frame, so that it can still be changed or left out. */
  readonly isWhole: boolean
  /** Puts bytes that stand in the place of these into the form that they have on the wire; `null` where that is the bytes themselves. */
  readonly envelope: ((bytes: Uint8Array) => Uint8Array) | null
  /** Whether it ends what the frames before it stand in, as the last chunk of a body: none of them may come behind it. Default false. */
  readonly isClosing?: boolean
}

/** How much of what is there is wanted. */
export interface FrameWish {
  /** At most so many frames, at least one. */
  readonly most: number
  /** Whether a frame is given only when it is complete. One whose beginning has been given goes on in pieces all the same. */
  readonly isWhole: boolean
}

/**
 * Reads one direction of one connection: takes chunks, and gives the frames in them, or as many at once as nobody wants to look at.
 * The bytes that it gives, one behind the other, are those that it took, unless its framing says otherwise.
 *
 * @since 0.1.0
 * @category encoding
 */
export interface FrameReader {
  /** Takes a chunk, which is not changed any more. */
  feed(chunk: Uint8Array): void
  /** Gives what is next; `null` when more is needed, and for good when the stream has a `failure`. */
  next(wish: FrameWish): FramePart | null
  /** The input has ended. What that completes is given by `next`; readers whose frames say themselves where they end have none of this. */
  close?(): void
  /** The input has ended: gives what is left of a frame that will never be complete, or has not been given; `null` for nothing. */
  end(): FramePart | null
  /** Why it cannot go on. Frames before it are given first. */
  failure(): FrameProblem | null
  /**
   * Whether it keeps bytes until the other direction has been read on: `next` gives null now and more later, although nothing is fed,
   * so it is not to be ended yet. No reader waits without this.
   */
  isWaiting?(): boolean
  /** Whether the beginning of a frame has been given, and not its end. */
  isInFrame(): boolean
  /** How many bytes it keeps. */
  heldBytes(): number
  /** How many bytes of the frame that is not complete have come, those that were given too. */
  openBytes(): number
  /** The decoded content of a whole frame; `undefined` where there is none. */
  content(part: FramePart): unknown
}
