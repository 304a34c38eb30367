import type { FrameReader } from "../../wire/frames/frame-reader.ts"
import type { Direction } from "../plan/fault-program.ts"
import type { RewriteLength } from "../plan/plan-frame.ts"

/** The readers of one connection. */
export type ConnectionReaders = Readonly<Record<Direction, FrameReader>>

/**
 * How a stream of bytes is frames.
 *
 * @since 0.1.0
 * @category encoding
 */
export interface Framing {
  /** Puts another length into the header of a frame. */
  readonly rewriteLength: RewriteLength
  /**
   * The readers of both directions of one connection, which may depend on each other. `woken` is called from within `next` or `end` of
   * one when the other, whose `isWaiting` held, is to be asked again although it was fed nothing.
   */
  open(woken?: (direction: Direction) => void): ConnectionReaders
}
