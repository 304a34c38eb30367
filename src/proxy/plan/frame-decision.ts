import type { Ending } from "./rule-table.ts"

/** Bytes to be written: a copy of the frame, which counts as forwarded, or something injected, which does not. */
export interface FrameWrite {
  readonly bytes: Uint8Array
  readonly isCopy: boolean
}

/** A frame that goes on, in the order in which its members take their turns. */
export interface FrameForwarded {
  readonly kind: "forward"
  readonly rules: ReadonlyArray<string>
  /** Whether it is written behind the next frame of its direction. */
  readonly isPostponed: boolean
  /** Barriers that have to be released first. */
  readonly barriers: ReadonlyArray<string>
  /** From its arrival, or from the release of the last of its barriers. */
  readonly delayMs: number
  readonly writes: ReadonlyArray<FrameWrite>
  /** Sizes of the pieces in which each write is made, for `splitPieces`; `null` for one. */
  readonly chunkSizes: ReadonlyArray<number> | null
  readonly bytesPerSecond: number | null
  /** What happens when all is written. */
  readonly ending: Ending | null
}

/**
 * What becomes of a frame, and the ids of the rules that matched it.
 *
 * @since 0.1.0
 * @category models
 */
export type FrameDecision =
  | { readonly kind: "drop"; readonly rules: ReadonlyArray<string> }
  | { readonly kind: "sever"; readonly rules: ReadonlyArray<string>; readonly prefix: Uint8Array }
  | FrameForwarded
