import type { KeptState } from "../kernel/kept-state.ts"
import type { SimKernel } from "../kernel/sim-kernel.ts"
import type { LinkConditions } from "./link-conditions.ts"
import { type FlowState, makeFlowState } from "./link-state.ts"

/** What arrives at an end of a link. */
export interface LinkReader<P> {
  data(payload: P): void
  /** The other side sends no more. */
  fin(): void
  /** The connection was reset. */
  rst(): void
  /** What was sent has been read: there is room again. */
  room?(): void
}

/**
 * One end of a connection. Until `read` was called, what arrives waits.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface LinkEnd<P> {
  /** Whose end it is, as operations name it: `c1`, `srv`. */
  readonly actor: string
  /** The connection, for people: `c1`, its second one `c1.2`. */
  readonly name: string
  /** Nothing more will arrive at it or leave it. */
  readonly isClosed: boolean
  /** It has sent its FIN. */
  readonly isFinished: boolean
  /** Nothing of the other side arrives any more, and nothing will say so. */
  readonly isDeaf: boolean
  read(reader: LinkReader<P>): void
  /** Sends a piece; false when the reader is behind, and `room` will be told. What an end that has finished sends is lost. */
  send(payload: P, bytes: number): boolean
  hasRoom(): boolean
  /** Sends FIN, and goes on reading. */
  finish(): void
  /** Sends FIN where that was not done, and reads no more: what still arrives is answered with RST. */
  close(): void
  /** Sends RST. */
  reset(): void
  /** Reads no more, and says nothing more: behind what is on its way comes no FIN and no RST, from either side. */
  vanish(): void
  /** Leaves unread what arrives, the end of the other side included. */
  pause(): void
  resume(): void
}

/** The two ends of a connection: of the side that connected, and of the side that accepted. */
export interface Link<P> {
  readonly near: LinkEnd<P>
  readonly far: LinkEnd<P>
}

type Arrival<P> =
  | { readonly kind: "data"; readonly payload: P; readonly bytes: number }
  | { readonly kind: "fin" }
  | { readonly kind: "rst" }

const finArrival = { kind: "fin" } as const
const rstArrival = { kind: "rst" } as const
const labels = { data: "net/data", fin: "net/fin", rst: "net/rst" } as const

/** An end, and the direction that leads away from it. */
interface Side<P> {
  readonly actor: string
  readonly channel: string
  reader: LinkReader<P> | null
  isPaused: boolean
  isFinished: boolean
  isClosed: boolean
  /** Nothing that it sends from now on arrives. */
  isCut: boolean
  /** It vanished: nothing is read here any more, and nothing answered. */
  isGone: boolean
  /** Sent and not read, in bytes; and whether the sender was told to wait. */
  inFlight: number
  isFull: boolean
  stalledUntil: number
  /** What has arrived here and was not read. */
  readonly waiting: Array<Arrival<P>>
  /** What it has sent. */
  readonly flow: FlowState
}

/**
 * A connection: two channels of the kernel, each first in, first out, with what a network does to them.
 *
 * **Source** simulation.md, sections 5.2 and 5.3
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeLink = <P>(options: {
  readonly kernel: SimKernel
  readonly conditions: LinkConditions
  /** The connection, for channels: `c1` gives `c1>srv` and `srv>c1`. */
  readonly name: string
  readonly near: string
  readonly far: string
  /** Sees what arrives. */
  readonly tap?: ((channel: string, payload: P) => void) | undefined
}): Link<P> => {
  const { kernel, conditions, name, tap } = options
  const near = sideOf<P>(options.near, `${name}>${options.far}`, kernel.kept)
  const far = sideOf<P>(options.far, `${options.far}>${name}`, kernel.kept)
  const shared = { isVanished: false }
  const forget = kernel.kept.add(() =>
    [near, far].map((side) => stateOf(side, kernel.now())).join(shared.isVanished ? " lost " : " ")
  )

  const plan = (from: Side<P>, to: Side<P>, label: string, happen: () => void): void => {
    const held = Math.max(0, from.stalledUntil - kernel.now())
    const ms = Math.max(conditions.latencyMs(), held)
    const op = { kind: "deliver", label, actor: to.actor, from: from.actor, channel: from.channel } as const
    kernel.plan(ms, op, () => {
      if (!shared.isVanished) happen()
      if (isOver(near) && isOver(far)) forget()
    })
  }

  const post = (from: Side<P>, to: Side<P>, arrival: Arrival<P>): void => {
    if (shared.isVanished || from.isCut) return
    from.flow.sent(arrival)
    plan(from, to, labels[arrival.kind], () => arrive(from, to, arrival))
  }

  const arrive = (from: Side<P>, to: Side<P>, arrival: Arrival<P>): void => {
    from.flow.arrived()
    if (arrival.kind === "data") {
      kernel.note(String(arrival.bytes))
      tap?.(from.channel, arrival.payload)
    }
    if (to.isGone) return
    if (to.isClosed) {
      // Nobody is there to read it.
      if (arrival.kind === "data") bounce(to, from)
      return
    }
    if (to.isPaused || to.reader === null || to.waiting.length > 0) to.waiting.push(arrival)
    else give(from, to, arrival)
  }

  const bounce = (from: Side<P>, to: Side<P>): void => {
    post(from, to, rstArrival)
    from.isCut = true
  }

  const give = (from: Side<P>, to: Side<P>, arrival: Arrival<P>): void => {
    const { reader } = to
    if (arrival.kind === "data") {
      consumed(from, to, arrival.bytes)
      reader?.data(arrival.payload)
    } else if (arrival.kind === "fin") reader?.fin()
    else {
      to.isClosed = true
      reader?.rst()
    }
  }

  /** A window that was full is opened again when half of it is free. */
  const consumed = (from: Side<P>, to: Side<P>, bytes: number): void => {
    from.inFlight -= bytes
    if (!from.isFull || from.inFlight > conditions.windowBytes / 2) return
    from.isFull = false
    if (to.isCut) return
    plan(to, from, "net/window", () => {
      if (!from.isClosed) from.reader?.room?.()
    })
  }

  /** What the network does to a piece that is sent; true when it does not get through. */
  const isSpoilt = (from: Side<P>, to: Side<P>): boolean => {
    if (conditions.has("drop")) {
      shared.isVanished = true
      return true
    }
    if (conditions.has("rst")) {
      post(from, to, rstArrival)
      post(to, from, rstArrival)
      from.isCut = true
      to.isCut = true
      return true
    }
    if (conditions.has("cut")) {
      post(from, to, finArrival)
      from.isCut = true
      return true
    }
    if (conditions.has("stall")) {
      const ms = conditions.stallMs()
      if (ms === Number.POSITIVE_INFINITY) from.isCut = true
      else from.stalledUntil = kernel.now() + ms
    }
    return false
  }

  const endOf = (own: Side<P>, other: Side<P>): LinkEnd<P> => {
    const flush = (): void => {
      while (!own.isPaused && own.reader !== null && !own.isClosed) {
        const next = own.waiting.shift()
        if (next === undefined) return
        give(other, own, next)
      }
    }
    return {
      actor: own.actor,
      name,
      get isClosed() {
        return own.isClosed
      },
      get isFinished() {
        return own.isFinished
      },
      get isDeaf() {
        return shared.isVanished || other.isCut
      },
      read(reader) {
        own.reader = reader
        flush()
      },
      send(payload, bytes) {
        if (own.isFinished || own.isClosed) return true
        own.inFlight += bytes
        own.isFull = own.inFlight >= conditions.windowBytes
        const isLost = shared.isVanished || own.isCut || isSpoilt(own, other)
        if (!isLost) post(own, other, { kind: "data", payload, bytes })
        return !own.isFull
      },
      hasRoom: () => !own.isFull,
      finish() {
        if (own.isFinished || own.isClosed) return
        own.isFinished = true
        post(own, other, finArrival)
      },
      close() {
        if (own.isClosed) return
        if (!own.isFinished) post(own, other, finArrival)
        leave(own)
      },
      reset() {
        if (own.isClosed) return
        post(own, other, rstArrival)
        own.isCut = true
        leave(own)
      },
      vanish() {
        own.isCut = true
        other.isCut = true
        own.isGone = true
      },
      pause() {
        own.isPaused = true
      },
      resume() {
        if (!own.isPaused) return
        own.isPaused = false
        flush()
      }
    }
  }

  return { near: endOf(near, far), far: endOf(far, near) }
}

const leave = <P>(side: Side<P>): void => {
  side.isFinished = true
  side.isClosed = true
  side.waiting.length = 0
}

/** Nothing that it knows decides anything any more. */
const isOver = <P>(side: Side<P>): boolean => side.isClosed && side.flow.isEmpty()

/** All that what comes next depends on and no operation tells. */
const stateOf = <P>(side: Side<P>, now: number): string => {
  const { channel, reader, isPaused, isFinished, isClosed, isCut, isGone, inFlight, isFull, waiting, flow } = side
  const flags = [reader !== null, isPaused, isFinished, isClosed, isCut, isGone, isFull].map(Number).join("")
  const held = Math.max(0, side.stalledUntil - now)
  return `${channel} ${flags} ${inFlight} ${held} ${flow.text()} ${waiting.length}`
}

const sideOf = <P>(actor: string, channel: string, kept: KeptState): Side<P> => ({
  actor,
  channel,
  reader: null,
  isPaused: false,
  isFinished: false,
  isClosed: false,
  isCut: false,
  isGone: false,
  inFlight: 0,
  isFull: false,
  stalledUntil: 0,
  waiting: [],
  flow: makeFlowState(kept)
})
