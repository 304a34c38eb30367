import type { FrameJob, TakenFrame } from "./frame-job.ts"
import type { FrameAction } from "./proxy-event.ts"
import type { PumpData } from "./pump-data.ts"

/** Tells the log what becomes of frames that were taken in hand, when nothing more goes. */
export const noteDiscarded = (data: PumpData): void => {
  const { job, waiting, ready, counts, lost } = data
  const isOpen = job !== null && job.frame !== null && job.frame.decision.kind === "forward"
  const open = [...(isOpen && job.frame !== null ? [job.frame] : []), ...(waiting === null ? [] : [waiting]), ...ready]
  const others = open.length + (lost === null ? 0 : 1)
  if (job !== null && job.frame === null && job.frames > 0) noteCutRun(data, job, counts.discarded - others)
  for (const frame of open) note(data, frame, "discarded")
  if (lost !== null) noteRun(data, { ...lost, frames: 1, action: "discarded" })
}

/** Of a run that a receiver has not taken all but the last frame may be there. */
const noteCutRun = (data: PumpData, { index, frames, toldBytes, lastBytes }: FrameJob, discarded: number): void => {
  const gone = frames - discarded
  const leftBytes = gone === 0 ? toldBytes : lastBytes
  if (gone > 0)
    noteRun(data, { index, frames: gone, bytes: toldBytes - (discarded === 0 ? 0 : leftBytes), action: "forwarded" })
  if (discarded > 0) noteRun(data, { index: index + gone, frames: discarded, bytes: leftBytes, action: "discarded" })
}

interface NotedRun {
  readonly index: number
  readonly frames: number
  readonly bytes: number
  readonly action: FrameAction
}

/** Tells the log of frames that no rule is about. */
const noteRun = ({ room, connection, direction }: PumpData, run: NotedRun): void =>
  room.log.record({ type: "frame", connection, direction, ...run, rules: [] })

/** Tells the log what becomes of a frame. */
export const note = (data: PumpData, { index, part, decision }: TakenFrame, action: FrameAction): void =>
  data.room.log.record({
    type: "frame",
    connection: data.connection,
    direction: data.direction,
    index,
    frames: 1,
    bytes: part.bytes.length,
    action,
    rules: decision.rules
  })
