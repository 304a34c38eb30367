import type { Direction } from "./plan/fault-program.ts"

/** A frame as it came, or a tail that never became one. */
export interface RecordedFrame {
  readonly connection: number
  readonly direction: Direction
  /** From 1; `null` for a tail. */
  readonly index: number | null
  /** What kind of frame its framing says it is. */
  readonly kind: string | null
  readonly headerBytes: number
  readonly bytes: Uint8Array
  /** When its last byte had come, in milliseconds from the start. */
  readonly at: number
}

/**
 * What came through a proxy, in the order in which it came.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProxyRecording {
  readonly frames: ReadonlyArray<RecordedFrame>
  /** How many more frames came when its memory was full. */
  readonly missed: number
}
