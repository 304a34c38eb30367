import type { TakenFrame } from "./frame-job.ts"
import type { FrameAction } from "./proxy-event.ts"
import type { PumpData } from "./pump-data.ts"

/** Tells the log of frames that were taken in hand and will not go. */
export const noteDiscarded = (data: PumpData): void => {
  const { job, waiting, ready, counts, room, connection, direction } = data
  const isOpen = job !== null && job.frame !== null && job.frame.decision.kind === "forward"
  const open = [...(isOpen && job.frame !== null ? [job.frame] : []), ...(waiting === null ? [] : [waiting]), ...ready]
  for (const frame of open) note(data, frame, "discarded")
  const frames = counts.discarded - open.length
  if (frames <= 0 || job === null || job.frame !== null) return
  const index = job.index + job.frames - frames
  const bytes = job.leftBytes
  room.log.record({ type: "frame", connection, direction, index, frames, bytes, action: "discarded", rules: [] })
}

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
