import type { ProxyPumpEvent } from "../../machines/proxy-pump.machine.ts"
import type { FramePart } from "../wire/frames/frame-reader.ts"
import { cutJob, frameJob, runJob, type TakenFrame, tailJob } from "./frame-job.ts"
import { note } from "./frame-notes.ts"
import { wholeMs } from "./plan/frame-bytes.ts"
import type { FrameDecision } from "./plan/frame-decision.ts"
import { placeFrame } from "./plan/frame-order.ts"
import { closedBarriers } from "./plan/link-state.ts"
import type { PlanFrame } from "./plan/plan-frame.ts"
import type { LaterChunk, NextPart, PumpData } from "./pump-data.ts"

/**
 * Takes what a pump does next: a run of frames that no rule is about, or the next frame, decided.
 *
 * **Source** agent-harness.md, sections 6.3 and 6.5
 *
 * @since 0.1.0
 * @category faults
 */
export const takeNext = (data: PumpData): ProxyPumpEvent => {
  for (;;) {
    const [ready, ...rest] = data.ready
    if (ready !== undefined) {
      data.ready = rest
      return begin(data, ready)
    }
    if (data.behind !== null) return passOn(data, data.behind)
    // A rule has failed at the frame behind those that have gone.
    if (data.problem !== null) return { type: "took.failure" }
    const part = nextPart(data)
    if (part === null) {
      const problem = data.reader.failure()
      if (problem === null && feedLater(data)) continue
      const isWaiting = data.reader.isWaiting?.() ?? false
      if ((problem !== null || (data.hasEnded && !isWaiting)) && waitsInVain(data)) continue
      data.problem = problem === null ? null : { index: data.counts.received + 1, message: problem.message }
      return problem === null ? { type: "took.nothing", isWaiting } : { type: "took.failure" }
    }
    if (part.part.isClosing === true && waitsInVain(data)) {
      data.behind = part.part
      continue
    }
    const taken = part.isDecided ? decided(data, part.part) : null
    if (data.problem !== null) continue
    if (taken === null) return passOn(data, part.part)
    if (data.waiting === null && isUntouched(taken)) {
      data.job = runJob(data.room.areFramesTold ? taken.part : withUntouchedBehind(data, taken.part), taken.index)
      return { type: "took.run" }
    }
    place(data, taken)
  }
}

/** Hands the reader a chunk. */
export const feed = (data: PumpData, { bytes, atMs }: LaterChunk): void => {
  data.arrivedMs = atMs
  data.piecesAtOnce = 0
  data.reader.feed(bytes)
}

/** Hands it the next of those that came while a frame was delayed. **Gives** whether there was one. */
const feedLater = (data: PumpData): boolean => {
  const chunk = data.later.shift()
  if (chunk === undefined) return false
  data.laterBytes -= chunk.bytes.length
  feed(data, chunk)
  if (data.hasEnded && data.later.size() === 0) data.reader.close?.()
  return true
}

/** The frame that a frame waits for will not come: it is next. **Gives** whether there is one that waits. */
const waitsInVain = (data: PumpData): boolean => {
  if (data.waiting === null) return false
  data.ready = [data.waiting]
  data.waiting = null
  return true
}

const passOn = (data: PumpData, part: FramePart): ProxyPumpEvent => {
  data.behind = null
  data.job = runJob(part, countRun(data, part))
  return { type: "took.run" }
}

const place = (data: PumpData, taken: TakenFrame): void => {
  const placed = placeFrame(data.waiting, taken)
  if (placed.waiting === taken) note(data, taken, "postponed")
  if (placed.lost !== null) note(data, placed.lost, "discarded")
  data.waiting = placed.waiting
  data.ready = placed.now
}

/** Whether rules have looked at a frame, and none is about it. */
const isUntouched = ({ decision }: TakenFrame): boolean => decision.kind === "forward" && decision.rules.length === 0

/** A frame with all those behind it that came in the same chunk and that no rule is about either: they are written as one. */
const withUntouchedBehind = (data: PumpData, first: FramePart): FramePart => {
  let run = first
  for (let next = nextPart(data); next !== null; next = nextPart(data)) {
    if (!next.isDecided || !isBehind(run, next.part)) {
      data.kept = next
      break
    }
    const taken = decided(data, next.part)
    if (taken === null) break
    if (!isUntouched(taken)) {
      place(data, taken)
      break
    }
    const { buffer, byteOffset, length } = run.bytes
    run = {
      bytes: new Uint8Array(buffer, byteOffset, length + taken.part.bytes.length),
      frames: run.frames + 1,
      last: taken.part.last,
      isWhole: false,
      envelope: null
    }
  }
  return run
}

const isBehind = ({ bytes, envelope }: FramePart, next: FramePart): boolean =>
  envelope === null &&
  next.envelope === null &&
  next.isClosing !== true &&
  next.bytes.buffer === bytes.buffer &&
  next.bytes.byteOffset === bytes.byteOffset + bytes.length

/** Takes what is left when the input has ended. */
export const takeTail = (data: PumpData): ProxyPumpEvent => {
  const openBytes = data.reader.openBytes()
  const part = data.reader.end()
  if (openBytes > 0) data.counts.truncatedTail = openBytes
  if (part === null || part.bytes.length === 0 || data.room.tail === "drop")
    return { type: "took.nothing", isWaiting: false }
  data.bytesTaken += part.bytes.length
  data.job = tailJob(part, data.counts.received + 1)
  return { type: "took.tail" }
}

/** The next part: whole frames where a rule may be about them, and where a tail must not go through. */
const nextPart = (data: PumpData): NextPart | null => {
  const { reader, lane, counts, bytesTaken, room, kept } = data
  if (kept !== null) {
    data.kept = null
    return kept
  }
  const index = counts.received + 1
  const needs = lane.needs({ index, bytesBefore: bytesTaken })
  const isDecided = needs.kind !== "nothing"
  const most = needs.kind === "nothing" && needs.until !== null ? needs.until - index : Number.POSITIVE_INFINITY
  const part = reader.next(
    !isDecided
      ? { most: room.areFramesTold ? Math.min(most, 1) : most, isWhole: room.tail === "drop" }
      : { most: 1, isWhole: true }
  )
  return part === null ? null : { part, isDecided: isDecided && part.isWhole && part.last !== null }
}

/** Decides a whole frame; `null` for what belongs to no frame, or to one whose beginning has gone. */
const decided = (data: PumpData, part: FramePart): TakenFrame | null => {
  const { last } = part
  if (last === null) return null
  const index = ++data.counts.received
  const bytesBefore = data.bytesTaken
  data.bytesTaken += part.bytes.length
  const decision = decisionOn(data, {
    index,
    headerBytes: last.headerBytes,
    totalBytes: last.totalBytes,
    bytesBefore,
    kind: last.kind,
    bytes: () => part.bytes,
    content: () => data.reader.content(part)
  })
  return decision === null ? null : { index, part, decision, arrivedMs: data.arrivedMs }
}

/** What the rules say; `null` where one of them fails, as a test that throws. */
const decisionOn = (data: PumpData, frame: PlanFrame): FrameDecision | null => {
  try {
    return data.lane.decide(frame)
  } catch (error) {
    const { index, totalBytes } = frame
    data.lost = { index, bytes: totalBytes }
    data.problem = { index, message: `a rule has failed: ${error instanceof Error ? error.message : String(error)}` }
    return null
  }
}

/** Gives the index of its first frame. */
const countRun = (data: PumpData, part: FramePart): number => {
  const index = data.counts.received + 1
  data.counts.received += part.frames
  data.bytesTaken += part.bytes.length
  return index
}

const areEqual = (one: Uint8Array, other: Uint8Array): boolean => one === other || Buffer.compare(one, other) === 0

const begin = (data: PumpData, frame: TakenFrame): ProxyPumpEvent => {
  const { decision } = frame
  if (decision.kind === "drop") {
    data.counts.dropped += 1
    note(data, frame, "dropped")
    return { type: "took.dropped" }
  }
  if (decision.kind === "sever") {
    data.counts.severed += 1
    note(data, frame, "severed")
    data.job = cutJob(frame, decision.prefix)
    return { type: "took.cut" }
  }
  const { delayMs, barriers, ending } = decision
  const isHeld = closedBarriers(data.room.link(), barriers).length > 0
  const readyMs = isHeld ? null : frame.arrivedMs + delayMs
  data.job = frameJob(frame, { readyMs, pacedMs: data.pacedMs })
  if (decision.writes.some(({ bytes, isCopy }) => isCopy && !areEqual(bytes, frame.part.bytes)))
    note(data, frame, "changed")
  if (!isHeld && delayMs > 0) note(data, frame, "delayed")
  // Frames before it have kept it for a part of its delay.
  const leftMs = readyMs === null ? delayMs : wholeMs(readyMs - data.room.clock.now())
  return { type: "took.frame", isHeld, delayMs: leftMs, ending }
}
