import { type ProxyPumpEvent, type PumpFlow, proxyPumpMachine } from "../../machines/proxy-pump.machine.ts"
import { makeFifo } from "../domain/fifo.ts"
import { compileChart } from "../supervisor/chart.ts"
import { actorKind } from "../supervisor/supervisor.ts"
import type { HeldFrame } from "./fault-proxy.ts"
import type { FrameJob, JobPiece } from "./frame-job.ts"
import { note, noteDiscarded } from "./frame-notes.ts"
import { closedBarriers, flowOf, pause } from "./plan/link-state.ts"
import type { ProxyRoom } from "./proxy-room.ts"
import type { ProxyProgress } from "./proxy-waits.ts"
import { noPumpCounts, type ProxyPump, type PumpData } from "./pump-data.ts"
import { feed, takeNext, takeTail } from "./take-frame.ts"

/** The chart of a pump and what performs its actions. @since 0.1.0 @category services */
const pumpKind = actorKind<typeof proxyPumpMachine, PumpData>(compileChart(proxyPumpMachine), {
  take: (_, pump) => tell(pump, takeNext(pump.data)),
  takeTail: (_, pump) => tell(pump, takeTail(pump.data)),
  resumeSource(_, { data }) {
    if (!data.isPaused) return
    data.isPaused = false
    data.source.resume()
  },
  pauseSource(_, { data }) {
    if (data.isPaused) return
    data.isPaused = true
    data.source.pause()
  },
  tellHeld(_, pump) {
    const { data } = pump
    if (data.job?.frame) note(data, data.job.frame, "held")
    const frame = heldFrame(pump)
    if (frame !== null) data.room.progressed({ type: "held", frame })
    // Released by one who watches, between the decision and now.
    if (closedBarriers(data.room.link(), data.job?.barriers ?? []).length === 0) tell(pump, { type: "released" })
  },
  write: (_, pump) => write(pump),
  endDestination(_, { data }) {
    data.destination.end()
    data.room.log.record({ type: "half-closed", connection: data.connection, direction: data.direction })
  },
  stallFlow(_, { data }) {
    const { room, direction, connection } = data
    room.changeLink((state) => pause(state, direction, connection))
  },
  vanish: (_, { data }) => data.told.vanished(),
  throwAway(_, { data }) {
    data.throwsAway = true
  },
  tellReset: (_, { data }) => data.told.reset("a rule has reset it"),
  tellSevered: (_, { data }) => data.told.cut("a rule has cut it"),
  tellFrameError(_, { data }) {
    const { room, connection, direction, counts, problem } = data
    const reason = `frame ${problem?.index ?? counts.received + 1}: ${problem?.message ?? "cannot be read"}`
    room.counts.frameErrors += 1
    room.log.record({ type: "frame error", connection, direction, reason })
    data.told.cut(reason)
  },
  tellPeerError: (_, { data }) => data.told.cut(`a peer takes nothing any more (${data.writeProblem ?? "closed"})`),
  tellEnded: (_, { data }) => data.told.ended(),
  discard(_, { data }) {
    const { counts } = data
    counts.discarded = counts.received - counts.dropped - counts.severed - counts.delivered
    noteDiscarded(data)
    data.job = null
    data.kept = null
    data.later = makeFifo()
    data.laterBytes = 0
    data.waiting = null
    data.ready = []
    data.behind = null
    data.lost = null
  }
})

/** What still comes when it is over is of no interest. */
const tell = (pump: ProxyPump, event: ProxyPumpEvent): void => {
  if (pump.snapshot.status === "active") pump.data.room.supervisor.deliver(pump, event)
}

/** So many small pieces are written before others have their turn. */
const piecesAtOnceMax = 64

/** Writes the next piece. It is counted when it has left, at the latest before anybody can have seen its end. */
const write = (pump: ProxyPump): void => {
  const { data } = pump
  const { job } = data
  if (pump.snapshot.state === "pumping.writing" && ++data.piecesAtOnce > piecesAtOnceMax) {
    data.piecesAtOnce = 0
    tell(pump, { type: "piece.due", ms: 0 })
    return
  }
  const piece = job?.next(data.room.clock.now()) ?? null
  if (job === null || piece === null) {
    tell(pump, { type: "piece.gone", isLast: true })
    return
  }
  if (typeof piece === "number") {
    tell(pump, { type: "piece.due", ms: piece })
    return
  }
  let hasLeft = piece.bytes.length === 0
  if (!hasLeft) {
    hasLeft = data.destination.write(piece.bytes, (problem) => {
      if (hasLeft || data.job !== job) return
      if (problem === null) pieceGone(pump, job, piece, piece.frames - piece.seenBefore)
      else {
        data.writeProblem = problem
        tell(pump, { type: "write.failed" })
      }
    })
  }
  if (hasLeft) pieceGone(pump, job, piece, piece.frames)
  else {
    count(data, piece.seenBefore)
    tell(pump, { type: "piece.stuck" })
  }
}

const pieceGone = (pump: ProxyPump, job: FrameJob, piece: JobPiece, frames: number): void => {
  const { data } = pump
  job.gone()
  data.counts.bytesOut += piece.bytes.length
  count(data, frames)
  const isLast = job.isOver()
  if (isLast) finish(data, job)
  tell(pump, { type: "piece.gone", isLast })
}

/** There is one for each chunk. */
const forwarded: ProxyProgress = { type: "forwarded" }

const count = ({ counts, room, direction, job }: PumpData, frames: number): void => {
  if (frames === 0) return
  counts.forwarded += frames
  room.forwarded[direction] += frames
  // The frames of a run have one copy each; one that has several is delivered with the last of them.
  if (job === null || job.frame === null) counts.delivered += frames
  room.progressed(forwarded)
}

const finish = (data: PumpData, job: FrameJob): void => {
  data.job = null
  data.pacedMs = job.pacedMs() ?? data.pacedMs
  const { counts, room, connection, direction } = data
  if (job.frame?.decision.kind === "forward") {
    counts.delivered += 1
    note(data, job.frame, "forwarded")
  } else if (job.frame === null && job.frames > 0) {
    const { index, frames, toldBytes: bytes } = job
    room.log.record({ type: "frame", connection, direction, index, frames, bytes, action: "forwarded", rules: [] })
  }
}

/** What a pump begins with. */
export interface PumpParts
  extends Pick<
    PumpData,
    "connection" | "direction" | "source" | "destination" | "reader" | "lane" | "told" | "recording"
  > {
  /** What came before. */
  readonly early: ReadonlyArray<Uint8Array>
  readonly hasEnded: boolean
}

/** Starts to pump. Its source is taken to be paused. @since 0.1.0 @category constructors */
export const startPump = (room: ProxyRoom, { early, hasEnded, ...parts }: PumpParts): ProxyPump => {
  const { direction, connection } = parts
  const flow = flowOf(room.link(), { direction, connection })
  const pump: ProxyPump = room.supervisor.spawn(
    pumpKind,
    { flow },
    {
      ...parts,
      room,
      counts: noPumpCounts(),
      flow,
      isPaused: true,
      hasEnded: false,
      throwsAway: false,
      arrivedMs: room.clock.now(),
      later: makeFifo(),
      laterBytes: 0,
      pacedMs: Number.NEGATIVE_INFINITY,
      bytesTaken: 0,
      kept: null,
      waiting: null,
      ready: [],
      behind: null,
      job: null,
      problem: null,
      lost: null,
      piecesAtOnce: 0,
      writeProblem: null
    }
  )
  for (const chunk of early) pumpReceived(pump, chunk)
  if (hasEnded) pumpEnded(pump)
  return pump
}

/** So many bytes are read behind a frame that is delayed: those of a chunk. */
const laterBytesMax = 65_536

/** Bytes have come from its source. */
export const pumpReceived = (pump: ProxyPump, bytes: Uint8Array): void => {
  const { data } = pump
  data.counts.bytesIn += bytes.length
  if (data.throwsAway || pump.snapshot.status !== "active") return
  data.recording?.received(data.direction, bytes)
  const atMs = data.room.clock.now()
  if (pump.snapshot.state === "pumping.delaying" || data.later.size() > 0) {
    data.later.push({ bytes, atMs })
    data.laterBytes += bytes.length
    if (data.laterBytes >= laterBytesMax) tell(pump, { type: "full" })
    return
  }
  feed(data, { bytes, atMs })
  tell(pump, { type: "chunk" })
}

/** Its reader is to be asked again, although nothing has come. */
export const wakePump = (pump: ProxyPump): void => tell(pump, { type: "chunk" })

/** Its source sends no more. */
export const pumpEnded = (pump: ProxyPump): void => {
  const { data } = pump
  data.hasEnded = true
  if (data.later.size() === 0) data.reader.close?.()
  if (!data.throwsAway && pump.snapshot.status === "active") data.recording?.ended(data.direction)
  tell(pump, { type: "source.ended" })
}

/** The link has changed: what is stopped may go on, and who waits at a barrier that is open now. */
export const pumpLinkChanged = (pump: ProxyPump): void => {
  const { data } = pump
  const { room, direction, connection, job } = data
  const flow: PumpFlow = flowOf(room.link(), { direction, connection })
  if (flow !== data.flow) {
    data.flow = flow
    tell(pump, { type: "flow.changed", flow })
  }
  if (isHeld(pump) && job !== null && closedBarriers(room.link(), job.barriers).length === 0)
    tell(pump, { type: "released" })
}

/** Whether a frame of it waits at barriers. */
const isHeld = ({ snapshot }: ProxyPump): boolean =>
  snapshot.status === "active" && snapshot.state === "pumping.holding"

/** Its frame that waits at barriers; `null` where none does. */
export const heldFrame = (pump: ProxyPump): HeldFrame | null => {
  const { connection, direction, job, room } = pump.data
  if (job === null || !isHeld(pump)) return null
  return { connection, direction, index: job.index, barriers: closedBarriers(room.link(), job.barriers) }
}

export const severPump = (pump: ProxyPump): void => tell(pump, { type: "sever" })

/** Copies are the same bytes. */
const keptBytes = (job: FrameJob | null): number => (job === null ? 0 : Math.min(job.leftBytes, job.bytes))

/** How many bytes have come and not gone. */
export const bufferedBytes = ({ data, snapshot }: ProxyPump): number =>
  snapshot.status !== "active" || data.throwsAway
    ? 0
    : data.reader.heldBytes() +
      data.laterBytes +
      (data.kept?.part.bytes.length ?? 0) +
      keptBytes(data.job) +
      [data.waiting, ...data.ready].reduce((sum, frame) => sum + (frame?.part.bytes.length ?? 0), 0)
