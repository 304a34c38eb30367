import { copiedBytes } from "../domain/copied-bytes.ts"
import { type Fifo, makeFifo } from "../domain/fifo.ts"
import type { Choice } from "../kernel/choice.ts"
import type { Clock } from "../kernel/clock.ts"
import type { SocketReport, StreamSocket } from "../ports/stream-port.ts"
import { makeInOrder } from "./in-order.ts"

/** What connections are made of. */
export interface StreamLinkWorld {
  readonly clock: Clock
  readonly choice: Choice
  /** Bytes on the way or unread, at which a sender has to wait. */
  readonly windowBytes: number
  /** Whether one side can reset the other: ports can, and a Unix socket is destroyed. */
  readonly canReset: boolean
  delay(label: string): number
}

/** One end of a connection. Until it is attached, what arrives waits. */
export interface StreamLinkEnd {
  readonly socket: StreamSocket
  attach(report: SocketReport): void
}

/** What is on its way: bytes, that no more come, or that the connection was reset. */
type Arrival = { readonly kind: "data"; readonly bytes: Uint8Array } | { readonly kind: "fin" | "reset" }

interface WaitingWrite {
  readonly bytes: Uint8Array
  at: number
  /** It did not leave at once, so that its holder will be told when it has. */
  hasWaited: boolean
  readonly done: (problem: string | null) => void
}

/** An end, and what leads away from it. */
interface Side {
  report: SocketReport | null
  isPaused: boolean
  /** It sends no more behind what waits. */
  isEnding: boolean
  hasSentEnd: boolean
  hasReadEnd: boolean
  isClosed: boolean
  readonly writes: Fifo<WaitingWrite>
  /** Sent to the other side and not read there. */
  readonly flight: Array<Arrival>
  flightBytes: number
  isFull: boolean
  /** The last of a write that had to wait leaves when its holder is told of it. */
  isLeaving: boolean
  isMoving: boolean
  /** What its holder is told of its own deeds. */
  readonly tell: (act: () => void) => void
}

/** The longest piece that arrives at once; 0 is all there is. */
const segmentsBytes = [0, 1, 2, 3, 5, 64, 1_000] as const

/**
 * A connection: two directions, in each of which bytes arrive in order, in pieces of drawn sizes and after drawn times.
 *
 * @since 0.1.0
 * @category simulation
 */
export const makeStreamLink = (
  world: StreamLinkWorld,
  closed: () => void
): { readonly near: StreamLinkEnd; readonly far: StreamLinkEnd } => {
  const { clock, choice, windowBytes, delay } = world
  const near = sideOf(world)
  const far = sideOf(world)

  const other = (side: Side): Side => (side === near ? far : near)

  /** Takes of what waits as much as there is room for. A window that was full is opened again when half of it is free. */
  const fill = (side: Side): void => {
    if (side.isLeaving || (side.isFull && side.flightBytes > windowBytes / 2)) return
    side.isFull = false
    for (let next = side.writes.peek(); next !== undefined; next = side.writes.peek()) {
      const room = windowBytes - side.flightBytes
      if (room <= 0) {
        side.isFull = true
        return
      }
      const drawn = segmentsBytes[choice.draw(segmentsBytes.length, "stream/segment")] ?? 0
      const end = Math.min(next.bytes.byteLength, next.at + Math.min(room, drawn === 0 ? room : drawn))
      const bytes = copiedBytes(next.bytes, next.at, end)
      next.at = end
      side.flightBytes += bytes.byteLength
      if (end === next.bytes.byteLength && next.hasWaited) {
        leaveLater(side, bytes)
        return
      }
      if (bytes.byteLength > 0) side.flight.push({ kind: "data", bytes })
      if (end < next.bytes.byteLength) continue
      const { done } = next
      side.writes.shift()
      side.tell(() => done(null))
    }
    if (!side.isEnding || side.hasSentEnd) return
    side.hasSentEnd = true
    side.flight.push({ kind: "fin" })
    if (side.hasReadEnd) finish(side, null)
  }

  /** As on a real machine: nobody there can have read the end of a write before its holder, who waited, is told that it has left. */
  const leaveLater = (side: Side, bytes: Uint8Array): void => {
    side.isLeaving = true
    side.tell(() => {
      side.isLeaving = false
      if (side.isClosed) return
      const write = side.writes.shift()
      side.flight.push({ kind: "data", bytes })
      write?.done(null)
      fill(side)
      move(side)
    })
  }

  /** Brings what is under way to the other side, one piece at a time. */
  const move = (side: Side): void => {
    const reader = other(side)
    const canMove = reader.report !== null && !reader.isPaused && !reader.isClosed
    if (side.isMoving || !canMove || side.flight.length === 0) return
    side.isMoving = true
    clock.arm(delay("stream/data"), "stream/data", () => {
      side.isMoving = false
      if (reader.isPaused || reader.isClosed) return
      const arrival = side.flight.shift()
      if (arrival !== undefined) arrive(side, reader, arrival)
      if (!side.isClosed) fill(side)
      move(side)
    })
  }

  const arrive = (side: Side, reader: Side, arrival: Arrival): void => {
    if (arrival.kind === "reset") finish(reader, "ECONNRESET")
    else if (arrival.kind === "data") {
      side.flightBytes -= arrival.bytes.byteLength
      reader.report?.received(arrival.bytes)
    } else {
      reader.hasReadEnd = true
      reader.report?.ended()
      if (reader.hasSentEnd) finish(reader, null)
      // Who had to wait for the other side to read will wait no longer.
      else if (side.isClosed && reader.writes.size() > 0) finish(reader, "EPIPE")
    }
  }

  /** Nothing more happens at a side; what waits there is lost. */
  const finish = (side: Side, problem: string | null): void => {
    if (side.isClosed) return
    side.isClosed = true
    for (let write = side.writes.shift(); write !== undefined; write = side.writes.shift()) {
      const { done } = write
      side.tell(() => done(problem ?? "closed"))
    }
    side.tell(() => side.report?.closed(problem))
    if (other(side).isClosed) closed()
  }

  const leave = (side: Side, { isReset }: { readonly isReset: boolean }): void => {
    if (side.isClosed) return
    const reader = other(side)
    const hasUnread = reader.flightBytes > 0
    if (isReset && choice.draw(2, "stream/reset") === 1) side.flight.length = 0
    finish(side, null)
    if (reader.isClosed) return
    if (isReset || hasUnread) side.flight.push({ kind: "reset" })
    else if (!side.hasSentEnd) side.flight.push({ kind: "fin" })
    else if (reader.writes.size() > 0) finish(reader, "EPIPE")
    move(side)
  }

  const write = (side: Side, bytes: Uint8Array, done: (problem: string | null) => void): boolean => {
    const refusal = side.isClosed ? "closed" : side.isEnding ? "ended" : null
    if (refusal !== null) {
      side.tell(() => done(refusal))
      return false
    }
    const waiting: WaitingWrite = { bytes, at: 0, hasWaited: false, done }
    side.writes.push(waiting)
    if (other(side).isClosed) finish(side, "EPIPE")
    else {
      fill(side)
      move(side)
    }
    waiting.hasWaited = true
    return !side.isClosed && side.writes.size() === 0
  }

  const endOf = (side: Side): StreamLinkEnd => ({
    socket: {
      write: (bytes, done) => write(side, bytes, done),
      end() {
        if (side.isEnding || side.isClosed) return
        side.isEnding = true
        fill(side)
        move(side)
      },
      destroy: () => leave(side, { isReset: false }),
      reset: () => leave(side, { isReset: world.canReset }),
      pause() {
        side.isPaused = true
      },
      resume() {
        side.isPaused = false
        move(other(side))
      }
    },
    attach(report) {
      side.report = report
      move(other(side))
    }
  })

  return { near: endOf(near), far: endOf(far) }
}

const sideOf = ({ clock, delay }: StreamLinkWorld): Side => ({
  report: null,
  isPaused: false,
  isEnding: false,
  hasSentEnd: false,
  hasReadEnd: false,
  isClosed: false,
  writes: makeFifo<WaitingWrite>(),
  flight: [],
  flightBytes: 0,
  isFull: false,
  isLeaving: false,
  isMoving: false,
  tell: makeInOrder(clock, "stream/told", delay)
})
