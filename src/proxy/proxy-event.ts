import type { StreamAddress } from "../ports/stream-port.ts"
import type { Direction } from "./plan/fault-program.ts"

/** What became of a frame, or of a run of frames that no rule is about. */
export type FrameAction =
  | "forwarded"
  | "dropped"
  | "severed"
  | "postponed"
  | "held"
  | "delayed"
  | "changed"
  | "discarded"

/** What has happened, without when. */
export type ProxyFact =
  | { readonly type: "listening"; readonly address: StreamAddress }
  | { readonly type: "accepted"; readonly connection: number }
  | { readonly type: "connected"; readonly connection: number }
  | { readonly type: "refused"; readonly connection: number; readonly reason: string }
  /** Frames `index` to `index + frames - 1`; `rules` are the ids of those that were applied. */
  | {
      readonly type: "frame"
      readonly connection: number
      readonly direction: Direction
      readonly index: number
      readonly frames: number
      readonly bytes: number
      readonly action: FrameAction
      readonly rules: ReadonlyArray<string>
    }
  /** What the test has done; of all connections where none is named. */
  | { readonly type: "partitioned" | "healed"; readonly directions: ReadonlyArray<Direction> }
  | { readonly type: "paused" | "resumed"; readonly direction: Direction; readonly connection: number | null }
  | { readonly type: "vanished"; readonly connection: number }
  | { readonly type: "released"; readonly barrier: string }
  | { readonly type: "half-closed"; readonly connection: number; readonly direction: Direction }
  | {
      readonly type: "frame error"
      readonly connection: number
      readonly direction: Direction
      readonly reason: string
    }
  | { readonly type: "severed"; readonly connection: number; readonly reason: string }
  | { readonly type: "closed"; readonly connection: number }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "stopped" }

/**
 * An event of the log of a proxy. `at` is in milliseconds of its clock, counted from its start.
 *
 * @since 0.1.0
 * @category models
 */
export type ProxyEvent = ProxyFact & { readonly at: number }
