import type { FramePart } from "../wire/frames/frame-reader.ts"
import { splitPieces, throttledBytes, throttledMs, wholeMs } from "./plan/frame-bytes.ts"
import type { Decided } from "./plan/frame-order.ts"

/** A frame whose last byte has come, with what was decided of it. */
export interface TakenFrame extends Decided {
  readonly index: number
  readonly part: FramePart
  /** When its last byte came. */
  readonly arrivedMs: number
}

/** A piece of what is written: all of it leaves at once, or waits for the receiver. */
export interface JobPiece {
  readonly bytes: Uint8Array
  /** How many frames are handed over completely with its last byte, and how many of them a receiver may see before that. */
  readonly frames: number
  readonly seenBefore: number
}

/**
 * What a pump writes before it takes anything else: a run, a frame with its copies, the beginning of a severed one, or a tail.
 *
 * @since 0.1.0
 * @category models
 */
export interface FrameJob {
  /** The frame; `null` for a run and for a tail. */
  readonly frame: TakenFrame | null
  /** Of a run: the index of its first frame, how many frames there are, and how many bytes. */
  readonly index: number
  readonly frames: number
  readonly bytes: number
  /** The same bytes; of one frame, of which some have gone before, all that it has. */
  readonly toldBytes: number
  /** Of a run of several frames: how long its last one is; 0 where it ends with a part of one. */
  readonly lastBytes: number
  readonly barriers: ReadonlyArray<string>
  /** Bytes that have not left. */
  leftBytes: number
  /** How many copies have been handed over, of how many. */
  copiesGone: number
  readonly copies: number
  /** Up to when what has been handed over takes its turns, where it is throttled; the next frame has its turns behind that. */
  readonly pacedMs: () => number | null
  /** The next piece, or how many milliseconds it has to wait. */
  next(nowMs: number): JobPiece | number | null
  /** The last piece of `next` has left. */
  gone(): void
  isOver(): boolean
}

interface PlainParts {
  readonly frame: TakenFrame | null
  readonly index: number
  readonly frames: number
  readonly seenBefore: number
  readonly toldBytes?: number
  readonly lastBytes?: number
}

/** There is one for each chunk: every member is written out, as spread objects that hold functions each get a shape of their own. */
const plainJob = (
  bytes: Uint8Array,
  { frame, index, frames, seenBefore, toldBytes = bytes.length, lastBytes = 0 }: PlainParts
): FrameJob => {
  let isOver = false
  const job: FrameJob = {
    frame,
    index,
    frames,
    bytes: bytes.length,
    toldBytes,
    lastBytes,
    barriers: [],
    leftBytes: bytes.length,
    copiesGone: 0,
    copies: 0,
    pacedMs: () => null,
    next: () => ({ bytes, frames, seenBefore }),
    gone() {
      isOver = true
      job.leftBytes = 0
    },
    isOver: () => isOver
  }
  return job
}

/** Frames that no rule is about, or a part of one. Only a frame that ends with the last byte cannot be seen before all has left. */
export const runJob = (part: FramePart, index: number): FrameJob => {
  const { frames, last } = part
  const seenBefore = last === null ? frames : Math.max(0, frames - 1)
  const bytes = enveloped(part, part.bytes)
  const toldBytes = frames === 1 && last !== null ? last.totalBytes : bytes.length
  return plainJob(bytes, { frame: null, index, frames, seenBefore, toldBytes, lastBytes: last?.totalBytes ?? 0 })
}

/** What is left when the input has ended. */
export const tailJob = (part: FramePart, index: number): FrameJob =>
  plainJob(enveloped(part, part.bytes), { frame: null, index, frames: 0, seenBefore: 0 })

/** The beginning of a frame behind which the connection is cut. */
export const cutJob = (frame: TakenFrame, prefix: Uint8Array): FrameJob =>
  plainJob(enveloped(frame.part, prefix), { frame, index: frame.index, frames: 0, seenBefore: 0 })

const enveloped = ({ envelope }: FramePart, bytes: Uint8Array): Uint8Array =>
  envelope === null || bytes.length === 0 ? bytes : envelope(bytes)

interface Piece {
  readonly bytes: Uint8Array
  readonly frames: number
}

/** When the turns of a throttled frame begin. */
export interface JobTurns {
  /** When nothing but its turns keeps it any more; `null` for when it is first written. */
  readonly readyMs: number | null
  /** Up to when frames before it have theirs. */
  readonly pacedMs: number
}

/** A frame that goes on; `null` where the frame is not forwarded. */
export const frameJob = (frame: TakenFrame, { readyMs, pacedMs }: JobTurns): FrameJob | null => {
  const { decision, part } = frame
  if (decision.kind !== "forward") return null
  const { writes, chunkSizes, bytesPerSecond, barriers } = decision
  // Once for all copies, which are the same bytes.
  const onWire = new Map(writes.map(({ bytes }) => bytes).map((bytes) => [bytes, enveloped(part, bytes)]))
  const wires = writes.map(({ bytes, isCopy }) => ({ bytes: onWire.get(bytes) ?? bytes, isCopy }))
  const pieces = piecesOf(wires, chunkSizes, bytesPerSecond)
  let startedMs: number | null = null
  let handedBytes = 0
  let piece: Piece | null = nextOf(pieces)
  const job: FrameJob = {
    frame,
    index: frame.index,
    frames: 1,
    bytes: part.bytes.length,
    toldBytes: part.bytes.length,
    lastBytes: 0,
    barriers,
    leftBytes: wires.reduce((sum, { bytes }) => sum + bytes.length, 0),
    copiesGone: 0,
    copies: writes.filter(({ isCopy }) => isCopy).length,
    next(nowMs) {
      if (piece === null) return null
      startedMs ??= turnsFrom(Math.max(readyMs ?? nowMs, pacedMs), nowMs)
      if (bytesPerSecond !== null) {
        const waitMs = wholeMs(startedMs + throttledMs(handedBytes + piece.bytes.length, bytesPerSecond) - nowMs)
        if (waitMs > 0) return waitMs
      }
      return { ...piece, seenBefore: 0 }
    },
    gone() {
      if (piece === null) return
      handedBytes += piece.bytes.length
      job.leftBytes -= piece.bytes.length
      job.copiesGone += piece.frames
      piece = nextOf(pieces)
    },
    isOver: () => piece === null,
    pacedMs: () =>
      bytesPerSecond === null || startedMs === null ? null : startedMs + throttledMs(handedBytes, bytesPerSecond)
  }
  return job
}

/** Its turns begin when nothing keeps it any more; fractions of a millisecond that a timer has added do not count. */
const turnsFrom = (freeMs: number, nowMs: number): number => (nowMs - freeMs < 1 ? freeMs : nowMs)

const nextOf = (pieces: Iterator<Piece>): Piece | null => {
  const { value, done } = pieces.next()
  return done === true ? null : value
}

/** Made one by one: a frame may have a thousand copies, and each of them a piece for every byte. */
function* piecesOf(
  writes: ReadonlyArray<{ readonly bytes: Uint8Array; readonly isCopy: boolean }>,
  chunkSizes: ReadonlyArray<number> | null,
  bytesPerSecond: number | null
): Generator<Piece, undefined> {
  for (const { bytes, isCopy } of writes) {
    const chunks = chunkSizes === null ? [bytes] : splitPieces(bytes, chunkSizes)
    let left = bytes.length
    // An empty copy is handed over as well.
    if (left === 0) yield { bytes, frames: isCopy ? 1 : 0 }
    for (const chunk of chunks) {
      const stretches = bytesPerSecond === null ? [chunk] : splitPieces(chunk, [throttledBytes(bytesPerSecond)])
      for (const piece of stretches) {
        if (piece.length === 0) continue
        left -= piece.length
        yield { bytes: piece, frames: isCopy && left === 0 ? 1 : 0 }
      }
    }
  }
  return undefined
}
