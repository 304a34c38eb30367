import type { PumpFlow, proxyPumpMachine } from "../../machines/proxy-pump.machine.ts"
import type { Fifo } from "../domain/fifo.ts"
import type { StreamSocket } from "../ports/stream-port.ts"
import type { Actor } from "../supervisor/supervisor.ts"
import type { FramePart, FrameReader } from "../wire/frames/frame-reader.ts"
import type { ConnectionRecording } from "./connection-recording.ts"
import type { FrameJob, TakenFrame } from "./frame-job.ts"
import type { PlanLane } from "./plan/compile-plan.ts"
import type { Direction } from "./plan/fault-program.ts"
import type { ProxyRoom } from "./proxy-room.ts"

/** Who hears of a pump. */
export interface PumpTold {
  ended(): void
  cut(reason: string): void
  reset(reason: string): void
  vanished(): void
}

/** Why a pump cannot go on, and at which frame. */
export interface PumpProblem {
  readonly index: number
  readonly message: string
}

/** Numbers of one direction of one connection. */
export interface PumpCounts {
  received: number
  forwarded: number
  delivered: number
  dropped: number
  severed: number
  discarded: number
  bytesIn: number
  bytesOut: number
  truncatedTail: number | null
}

/** Bytes that the reader has not been fed. */
export interface LaterChunk {
  readonly bytes: Uint8Array
  readonly atMs: number
}

/** What a reader gave, and whether rules are to be asked about it. */
export interface NextPart {
  readonly part: FramePart
  readonly isDecided: boolean
}

/**
 * What the performers of a pump work with.
 *
 * @since 0.1.0
 * @category models
 */
export interface PumpData {
  readonly room: ProxyRoom
  readonly connection: number
  readonly direction: Direction
  readonly source: StreamSocket
  readonly destination: StreamSocket
  readonly reader: FrameReader
  readonly lane: PlanLane
  readonly told: PumpTold
  /** What comes is recorded there. */
  readonly recording: ConnectionRecording | null
  readonly counts: PumpCounts
  flow: PumpFlow
  isPaused: boolean
  hasEnded: boolean
  /** What comes is counted and thrown away. */
  throwsAway: boolean
  /** When the last bytes came that the reader was fed. */
  arrivedMs: number
  /** What has come since behind a frame that is delayed, with when, and how many bytes that is. */
  later: Fifo<LaterChunk>
  laterBytes: number
  /** Up to when throttled frames have their turns. */
  pacedMs: number
  /** Bytes that were taken of the reader. */
  bytesTaken: number
  /** What was taken of the reader and not looked at. */
  kept: NextPart | null
  /** The frame that waits for the next one, and those that are decided and not performed. */
  waiting: TakenFrame | null
  ready: ReadonlyArray<TakenFrame>
  /** What comes behind those. */
  behind: FramePart | null
  job: FrameJob | null
  problem: PumpProblem | null
  /** The frame at which a rule has failed. */
  lost: { readonly index: number; readonly bytes: number } | null
  /** How many pieces it has written since anything else had its turn. */
  piecesAtOnce: number
  /** Why its last write did not leave. */
  writeProblem: string | null
}

export type ProxyPump = Actor<typeof proxyPumpMachine, PumpData>

export const noPumpCounts = (): PumpCounts => ({
  received: 0,
  forwarded: 0,
  delivered: 0,
  dropped: 0,
  severed: 0,
  discarded: 0,
  bytesIn: 0,
  bytesOut: 0,
  truncatedTail: null
})
