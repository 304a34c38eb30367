import type { PlacedBarrier } from "./barrier.ts"
import type { BodyPiece } from "./body-piece.ts"
import type { BodyStep } from "./body-step.ts"
import type { BarrierOwner, Ending, Heartbeat, Plan, WireStep } from "./plan.ts"
import { splitPlan } from "./split-plan.ts"
import { type ChunkStretch, makeChunkStretch, stretchBytesMax } from "./stretch.ts"

/**
 * What a response carries, already as wire text: one string an SSE event, pieces with their own pauses, steps of which
 * every one was said, or one whole.
 */
export type PlanBody =
  | { readonly kind: "frames"; readonly frames: ReadonlyArray<string> }
  | { readonly kind: "pieces"; readonly pieces: ReadonlyArray<BodyPiece> }
  | { readonly kind: "steps"; readonly steps: ReadonlyArray<BodyStep>; readonly headDelayMs: number }
  | { readonly kind: "whole"; readonly bytes: string | Uint8Array }
  | { readonly kind: "bare" }
  | { readonly kind: "headless" }

/** All that a plan is made from. */
export interface PlanParts {
  readonly status: number
  readonly headers: ReadonlyArray<string>
  readonly body: PlanBody
  readonly ending: Ending
  /** Pause before each event, in milliseconds; `null` for none. */
  readonly delayMs: number | null
  /** Pause before each single event, over `delayMs`; asked in order. Of a body without events the first is before its head. */
  readonly pace?: ((event: number) => number | null) | null
  readonly barriers: ReadonlyArray<PlacedBarrier>
  /** Who opens the barriers. */
  readonly owner: BarrierOwner
  /** Cuts what is written every so many bytes, each piece in a turn of its own. Default: no cuts. */
  readonly splitBytes?: number | null
  /** What breaks the silence of the ending `stall`. */
  readonly heartbeat?: Heartbeat | undefined
}

/**
 * The one place where wire text becomes a plan: events are joined into stretches, cut at pauses and barriers.
 *
 * **Source** DESIGN, section 2 and 4; inference-server.md, sections 4.5 and 4.9
 *
 * @since 0.1.0
 * @category plans
 */
export const composePlan = (parts: PlanParts): Plan => {
  const { heartbeat } = parts
  const whole = composeWhole(parts)
  const plan = heartbeat === undefined ? whole : { ...whole, heartbeat }
  return typeof parts.splitBytes === "number" ? splitPlan(plan, parts.splitBytes) : plan
}

const composeWhole = (parts: PlanParts): Plan => {
  const steps: Array<WireStep> = []
  const waitAt = (place: PlacedBarrier["place"]): void => {
    for (const barrier of parts.barriers) {
      if (barrier.place === place) steps.push({ kind: "barrier", name: barrier.name, owner: parts.owner })
    }
  }
  const { body, ending } = parts
  waitAt("head")
  if (body.kind === "frames") return composeStream(parts, body.frames, steps, waitAt)
  if (body.kind === "pieces") return composePieces(parts, body.pieces, steps, waitAt)
  if (body.kind === "steps") return composeSteps(parts, body, steps, waitAt)
  const pauseMs = parts.pace?.(0) ?? null
  if (pauseMs !== null) steps.push({ kind: "pause", ms: pauseMs })
  if (ending === "end") waitAt("terminal")
  const headAt = steps.length
  if (body.kind !== "headless") steps.push({ kind: "head", status: parts.status, headers: parts.headers })
  if (body.kind === "whole" && body.bytes.length > 0) steps.push({ kind: "write", bytes: body.bytes, events: 0 })
  if (ending !== "end") waitAt("terminal")
  return { steps, ending, crossesAt: ending === "end" ? headAt : steps.length, keepAlive: false }
}

const composeStream = (
  { status, headers, ending, delayMs, pace = null, splitBytes }: PlanParts,
  frames: ReadonlyArray<string>,
  steps: Array<WireStep>,
  waitAt: (place: PlacedBarrier["place"]) => void
): Plan => {
  steps.push({ kind: "head", status, headers })
  const bytesMax = typeof splitBytes === "number" ? 0 : stretchBytesMax
  const pieces: Array<string> = []
  let pieceBytes = 0
  let events = 0
  const stretch = (): void => {
    if (pieces.length > 0) steps.push({ kind: "write", bytes: pieces.join(""), events })
    pieces.length = 0
    pieceBytes = 0
    events = 0
  }
  const last = ending === "end" ? frames.length - 1 : -1
  frames.forEach((frame, index) => {
    const before = steps.length
    const ms = pace === null ? delayMs : pace(index)
    if (ms !== null) {
      stretch()
      steps.push({ kind: "pause", ms })
    }
    waitForBarriers(steps, stretch, () => {
      waitAt(index)
      if (index === last) waitAt("terminal")
    })
    if (steps.length === before && pieceBytes + frame.length > bytesMax) stretch()
    pieces.push(frame)
    pieceBytes += frame.length
    if (!frame.startsWith(":")) events++
  })
  stretch()
  if (last >= 0) return { steps, ending, crossesAt: steps.length - 1, keepAlive: true }
  waitAt("terminal")
  return { steps, ending, crossesAt: steps.length, keepAlive: true }
}

const composePieces = (
  { status, headers, ending }: PlanParts,
  pieces: ReadonlyArray<BodyPiece>,
  steps: Array<WireStep>,
  waitAt: (place: PlacedBarrier["place"]) => void
): Plan => {
  steps.push({ kind: "head", status, headers })
  const last = ending === "end" ? pieces.length - 1 : -1
  pieces.forEach(({ bytes, delayMs = 0 }, index) => {
    steps.push({ kind: "pause", ms: delayMs })
    waitAt(index)
    if (index === last) waitAt("terminal")
    steps.push({ kind: "write", bytes, events: 0 })
  })
  if (last >= 0) return { steps, ending, crossesAt: steps.length - 1, keepAlive: false }
  waitAt("terminal")
  return { steps, ending, crossesAt: steps.length, keepAlive: false }
}

/** Chunks and pauses as they were said; chunks with nothing between them are one stretch. */
const composeSteps = (
  { status, headers, ending }: PlanParts,
  body: Extract<PlanBody, { readonly kind: "steps" }>,
  steps: Array<WireStep>,
  waitAt: (place: PlacedBarrier["place"]) => void
): Plan => {
  const last = ending === "end" ? body.steps.findLastIndex(({ kind }) => kind !== "wait") : -1
  const isStream = last < 0 || body.steps.some(holdsEvents)
  if (body.headDelayMs > 0) steps.push({ kind: "pause", ms: body.headDelayMs })
  // A body that is no stream waits before its head, as every other whole body does, and crosses there.
  if (!isStream) waitAt("terminal")
  let crossesAt = isStream ? -1 : steps.length
  steps.push({ kind: "head", status, headers, chunkPerWrite: true })
  const stretch = makeChunkStretch(steps)
  let sent = 0
  let place = 0
  body.steps.forEach((step, index) => {
    if (step.kind === "wait") {
      stretch.end()
      steps.push({ kind: "pause", ms: step.ms })
      return
    }
    const isLast = index === last && isStream
    waitForBarriers(steps, stretch.end, () => {
      // Where events are written in pieces, a barrier stands before the first piece of the event behind it.
      while (place <= sent) waitAt(place++)
      if (isLast) waitAt("terminal")
    })
    sent += addStep(stretch, step)
    if (isLast) crossesAt = steps.length
  })
  stretch.end()
  if (crossesAt >= 0) return { steps, ending, crossesAt, keepAlive: false }
  waitAt("terminal")
  return { steps, ending, crossesAt: steps.length, keepAlive: false }
}

/** Gives how many events the step holds. */
const addStep = (stretch: ChunkStretch, step: Exclude<BodyStep, { readonly kind: "wait" }>): number => {
  if (step.kind === "event") {
    stretch.add(step.frame, 1)
    return 1
  }
  if (step.isUnframed === true) stretch.addUnframed(step.bytes, step.events)
  else stretch.add(step.bytes, step.events)
  return step.events
}

const holdsEvents = (step: BodyStep): boolean => step.kind === "event" || (step.kind === "bytes" && step.events > 0)

/** Hands over what was gathered before the first barrier that `place` adds. */
const waitForBarriers = (steps: Array<WireStep>, stretch: () => void, place: () => void): void => {
  const from = steps.length
  place()
  const added = steps.splice(from)
  if (added.length === 0) return
  stretch()
  steps.push(...added)
}

/** The same plan for a HEAD request: the bytes stay away, everything else happens. */
export const withoutBody = (plan: Plan): Plan => {
  const cut = plan.steps.slice(0, plan.crossesAt).filter((step) => step.kind === "write").length
  return {
    ...plan,
    steps: plan.steps.filter((step) => step.kind !== "write"),
    crossesAt: plan.crossesAt - cut,
    keepAlive: false
  }
}
