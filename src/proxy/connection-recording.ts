import type { FramePart, FrameReader, FrameShape } from "../wire/frames/frame-reader.ts"
import type { FrameRecorder } from "./frame-recorder.ts"
import type { ConnectionReaders } from "./framing/framing.ts"
import { type Direction, directions } from "./plan/fault-program.ts"

/** Records what comes through one connection. */
export interface ConnectionRecording {
  received(direction: Direction, bytes: Uint8Array): void
  ended(direction: Direction): void
  /** Forgets frames that will not be complete. */
  closed(): void
}

interface RecordingParts {
  readonly recorder: FrameRecorder
  readonly connection: number
  /** Readers of its own, which keep a frame however long it is. */
  readonly readers: ConnectionReaders
  readonly now: () => number
}

/** One direction. */
interface Lane {
  readonly reader: FrameReader
  frames: number
  /** What the recorder was told that it holds. */
  heldBytes: number
  isEnding: boolean
}

/**
 * Reads both directions a second time. What is recorded has to be whole, and nothing that goes through may wait for that.
 *
 * @since 0.1.0
 * @category constructors
 */
export const recordConnection = ({ recorder, connection, readers, now }: RecordingParts): ConnectionRecording => {
  const lane = (direction: Direction): Lane => ({
    reader: readers[direction],
    frames: 0,
    heldBytes: 0,
    isEnding: false
  })
  const lanes = { clientToLeader: lane("clientToLeader"), leaderToClient: lane("leaderToClient") }

  const hold = (at: Lane, bytes: number): void => {
    recorder.hold(bytes - at.heldBytes)
    at.heldBytes = bytes
  }

  const keep = (direction: Direction, part: FramePart, shape: FrameShape | null): void =>
    recorder.keep({
      connection,
      direction,
      index: shape === null ? null : lanes[direction].frames,
      kind: shape?.kind ?? null,
      headerBytes: shape?.headerBytes ?? 0,
      bytes: part.bytes,
      at: now()
    })

  const take = (direction: Direction, part: FramePart): void => {
    lanes[direction].frames += part.frames
    if (part.isWhole && part.last !== null) keep(direction, part, part.last)
    else recorder.miss(part.frames)
  }

  const next = (at: Lane): FramePart | null => {
    hold(at, 0)
    const isRoom = at.reader.openBytes() < recorder.roomBytes()
    return at.reader.next(isRoom ? { most: 1, isWhole: true } : { most: Number.POSITIVE_INFINITY, isWhole: false })
  }

  /** Gives whether there was anything. */
  const readOn = (direction: Direction): boolean => {
    const at = lanes[direction]
    let isRead = false
    for (let part = next(at); part !== null; part = next(at)) {
      isRead = true
      take(direction, part)
    }
    // The end of one may be what the other has waited for, too.
    const isOver = at.isEnding && at.reader.isWaiting?.() !== true
    if (isOver) end(direction, at)
    else hold(at, at.reader.heldBytes())
    return isRead || isOver
  }

  const end = (direction: Direction, at: Lane): void => {
    at.isEnding = false
    const isOpen = at.reader.openBytes() > 0
    const isCutShort = at.reader.isInFrame()
    const part = at.reader.end()
    if (isOpen && part !== null && !isCutShort) keep(direction, part, null)
    // Its beginning has found no room.
    else if (isOpen) recorder.miss(1)
  }

  /** What one direction says may be what the other has waited for. */
  const readBoth = (): void => {
    for (let isRead = true; isRead; ) isRead = directions.filter(readOn).length > 0
  }

  return {
    received(direction, bytes) {
      lanes[direction].reader.feed(bytes)
      readBoth()
    },
    ended(direction) {
      const at = lanes[direction]
      at.reader.close?.()
      at.isEnding = true
      readBoth()
    },
    closed() {
      for (const direction of directions) hold(lanes[direction], 0)
    }
  }
}
