import type { Choice } from "../../../src/kernel/choice.ts"
import { seededChoice } from "../../../src/kernel/choice-sources.ts"
import { compilePlan, type FaultPlan, type PlanLane } from "../../../src/proxy/plan/compile-plan.ts"
import type { Direction } from "../../../src/proxy/plan/fault-program.ts"
import type { FrameDecision } from "../../../src/proxy/plan/frame-decision.ts"
import { type Decided, placeFrame } from "../../../src/proxy/plan/frame-order.ts"
import { labelledChoice } from "../../../src/proxy/plan/labelled-choice.ts"
import { readPlan } from "../../../src/proxy/plan/read-plan.ts"
import { prefixLength } from "../../../src/proxy/plan/rewrite-length.ts"
import { encodeFrame } from "../../../src/wire/frames/length-prefixed.ts"

/** A frame with a prefix of four bytes that arrives at a time. */
export interface Arrival {
  readonly bytes: Uint8Array
  readonly atMs: number
}

/** What a receiver sees, in order: the hex of what was written, and when. */
export interface Delivery {
  readonly hex: string
  readonly atMs: number
}

export interface Place {
  readonly direction: Direction
  readonly connection: number
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

export const arrival = (body: string | Uint8Array, atMs = 0): Arrival => ({
  bytes: encodeFrame(typeof body === "string" ? new TextEncoder().encode(body) : body),
  atMs
})

const decodedBody = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes.subarray(4)))
  } catch {
    return undefined
  }
}

export const planOf = (source: unknown, choice: Choice = seededChoice(1)): FaultPlan =>
  compilePlan(readPlan(source), { choice, rewriteLength: prefixLength() })

export const seededPlan = (source: unknown, seed: number): FaultPlan => planOf(source, labelledChoice(seed))

interface Arrived extends Decided {
  readonly atMs: number
}

/** One direction of one connection on virtual time: frames go in one by one, as pumps hand them on. */
export interface Receiver {
  readonly push: (arrival: Arrival) => void
  readonly end: () => void
  readonly seen: Array<Delivery>
  readonly decisions: Array<FrameDecision>
}

/** `asksFirst`: whether frames that nothing is needed of are passed on undecided. */
export const receiver = (lane: PlanLane, { asksFirst = false }: { readonly asksFirst?: boolean } = {}): Receiver => {
  const seen: Array<Delivery> = []
  const decisions: Array<FrameDecision> = []
  let index = 0
  let bytesBefore = 0
  let nowMs = 0
  let isSevered = false
  let waiting: Arrived | null = null

  const perform = ({ decision, atMs }: Arrived): void => {
    if (decision.kind === "drop" || isSevered) return
    if (decision.kind === "sever") {
      isSevered = true
      seen.push({ hex: hex(decision.prefix), atMs: nowMs })
      return
    }
    nowMs = Math.max(nowMs, atMs + decision.delayMs)
    for (const { bytes } of decision.writes) seen.push({ hex: hex(bytes), atMs: nowMs })
  }
  const decide = (bytes: Uint8Array): FrameDecision | null => {
    const needs = lane.needs({ index, bytesBefore })
    if (asksFirst && needs.kind === "nothing") return null
    return lane.decide({
      index,
      headerBytes: 4,
      totalBytes: bytes.length,
      bytesBefore,
      kind: null,
      bytes: () => bytes,
      content: () => (asksFirst && needs.kind !== "content" ? undefined : decodedBody(bytes))
    })
  }
  return {
    seen,
    decisions,
    push({ bytes, atMs }) {
      if (isSevered) return
      index += 1
      nowMs = Math.max(nowMs, atMs)
      const decision = decide(bytes)
      bytesBefore += bytes.length
      if (decision === null) {
        seen.push({ hex: hex(bytes), atMs: nowMs })
        return
      }
      decisions.push(decision)
      const placed = placeFrame(waiting, { decision, atMs })
      waiting = placed.waiting
      placed.now.forEach(perform)
    },
    end() {
      placeFrame(waiting, null).now.forEach(perform)
      waiting = null
    }
  }
}

/** All that is seen of these frames at one place. */
export const deliver = (
  plan: FaultPlan,
  arrivals: ReadonlyArray<Arrival>,
  { asksFirst = false, ...place }: Partial<Place> & { readonly asksFirst?: boolean } = {}
): ReadonlyArray<Delivery> => {
  const { push, end, seen } = receiver(
    plan.lane({ direction: place.direction ?? "clientToLeader", connection: place.connection ?? 1 }),
    { asksFirst }
  )
  arrivals.forEach(push)
  end()
  return seen
}
