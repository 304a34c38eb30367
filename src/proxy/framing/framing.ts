import type { FrameReader } from "../../wire/frames/frame-reader.ts"
import type { Direction } from "../plan/fault-program.ts"
import type { RewriteLength } from "../plan/plan-frame.ts"

/** The readers of one connection. */
export type ConnectionReaders = Readonly<Record<Direction, FrameReader>>

/** What readers are told by those who ask them. */
export interface ReaderTerms {
  /** Called from within `next` or `end` of one reader when the other, whose `isWaiting` held, is to be asked again although it was fed nothing. */
  readonly woken?: (direction: Direction) => void
  /**
   * Whether a rule of this direction may change how many bytes there are: drop frames, double them, cut them short, put others in, change their places. Asked
   * where a framing can say beforehand that a length is not known. Default: none does.
   */
  readonly mayChangeLength?: (direction: Direction) => boolean
  /** How long a frame of HTTP that is wanted whole may be, for readers whose caller sees to that. Default: as long as the framing allows. */
  readonly limitBytes?: number
}

/**
 * How a stream of bytes is frames.
 *
 * @since 0.1.0
 * @category encoding
 */
export interface Framing {
  /** Puts another length into the header of a frame. */
  readonly rewriteLength: RewriteLength
  /** The readers of both directions of one connection, which may depend on each other. */
  open(terms?: ReaderTerms): ConnectionReaders
}
