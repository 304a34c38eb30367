import { valueAt } from "../../src/domain/json-pointer.ts"
import type { Direction, FaultAction, FaultRule } from "../../src/proxy/plan/fault-program.ts"
import { happens, labelledChoice } from "../../src/proxy/plan/labelled-choice.ts"
import type { FramingChoice } from "../../src/proxy/proxy-options.ts"
import type { SentFrame } from "../arbitraries/proxy-streams.ts"
import { relengthed } from "./proxy-lengths.ts"

/** What a receiver gets, in this order: copies of frames, what is injected, the beginning of a severed frame, a tail. */
export interface Delivered {
  readonly bytes: Uint8Array
  /** The frame of which it is a copy; null where it is none. */
  readonly copyOf: number | null
}

/** What becomes of a frame. */
export type FrameFate = "dropped" | "severed" | "forwarded" | "lost"

/** What comes of one direction of one connection when nobody interferes, and all that stops it is undone. */
export interface Delivery {
  readonly delivered: ReadonlyArray<Delivered>
  /** Of each frame, in order; "lost" where it was decided, and what happened before it was written ended the direction. */
  readonly fates: ReadonlyArray<FrameFate>
  readonly copies: ReadonlyArray<number>
  /** What ended it before all had gone: a sever, a reset, the end of the side, or silence. */
  readonly endedBy: "sever" | "reset" | "halfClose" | "vanish" | null
}

/** What a delivery follows from. */
export interface DeliveryInput {
  readonly choice: FramingChoice
  readonly connection: number
  readonly direction: Direction
  readonly head: Uint8Array
  readonly frames: ReadonlyArray<SentFrame>
  /** What follows the frames, where the input ends and it goes on; null where the input does not end. */
  readonly tail: Uint8Array | null
  /** The rules that count for the frame with an index, from 1. */
  readonly rulesFor: (index: number) => ReadonlyArray<FaultRule>
  readonly seed: number
}

interface Fate {
  readonly index: number
  readonly fate: FrameFate
  readonly copies: number
  readonly writes: ReadonlyArray<Delivered>
  readonly waits: boolean
  readonly ending: Delivery["endedBy"]
}

/** Section 6.3 of agent-harness.md and the table of its actions, once more: written after the words, and not after the engine. */
export const modelDelivery = (input: DeliveryInput): Delivery => {
  const { head, frames, tail } = input
  const decide = decider(input)
  const delivered: Array<Delivered> = head.length > 0 ? [{ bytes: head, copyOf: null }] : []
  const fates: Array<FrameFate> = []
  const copies: Array<number> = []
  let endedBy: Delivery["endedBy"] = null
  let waiting: Fate | null = null

  /** Performs one frame; what comes behind the end of a direction is lost. */
  const perform = (fate: Fate): void => {
    if (endedBy !== null) return
    fates[fate.index - 1] = fate.fate
    delivered.push(...fate.writes)
    endedBy = fate.ending
  }
  let bytesBefore = head.length
  for (const [place, frame] of frames.entries()) {
    if (endedBy !== null) break
    const fate = decide(frame, place + 1, { bytesBefore, isAwaited: waiting !== null })
    bytesBefore += frame.bytes.length
    fates.push("lost")
    copies.push(fate.copies)
    if (fate.waits) {
      waiting = fate
      continue
    }
    perform(fate)
    if (waiting !== null) perform(waiting)
    waiting = null
  }
  if (tail !== null && endedBy === null) {
    if (waiting !== null) perform(waiting)
    if (endedBy === null && tail.length > 0) delivered.push({ bytes: tail, copyOf: null })
  }
  return { delivered, fates, copies, endedBy }
}

const decider = ({ choice, connection, direction, rulesFor, seed }: DeliveryInput) => {
  const chance = labelledChoice(seed)
  const used = new Map<FaultRule, number>()
  const met = new Map<FaultRule, number>()

  return (
    frame: SentFrame,
    index: number,
    { bytesBefore, isAwaited }: { readonly bytesBefore: number; readonly isAwaited: boolean }
  ): Fate => {
    const label = (what: string, rule: FaultRule): string =>
      `proxy/${what}/${rule.id}/${connection}/${direction}/${index}`
    const isAbout = (rule: FaultRule): boolean => {
      const { match, times } = rule
      if (rule.direction !== "both" && rule.direction !== direction) return false
      if (!isIn(rule.connection, connection)) return false
      if (times !== null && (used.get(rule) ?? 0) >= times) return false
      if (match.index !== null && match.index !== index) return false
      if (!isIn(match.range, index)) return false
      if (match.every !== null) {
        const { step, first } = match.every
        if (index < first || (index - first) % step !== 0) return false
      }
      const { byteOffset } = match
      if (byteOffset !== null && (byteOffset < bytesBefore || byteOffset >= bytesBefore + frame.bytes.length))
        return false
      if (match.kind !== null && match.kind !== frame.kind) return false
      if (!isContent(match, frame)) return false
      if (match.nth !== null) {
        met.set(rule, (met.get(rule) ?? 0) + 1)
        if (!isIn(match.nth, met.get(rule) ?? 0)) return false
      }
      return happens(chance, match.probability, label("chance", rule))
    }
    const rules = rulesFor(index).filter(isAbout)
    for (const rule of rules) used.set(rule, (used.get(rule) ?? 0) + 1)

    const of = <Type extends FaultAction["type"]>(type: Type) =>
      rules.flatMap(({ action }) => (isOf(action, type) ? [action] : []))
    const nothing = { index, copies: 0, writes: [], waits: false, ending: null }
    if (of("drop").length > 0) return { ...nothing, fate: "dropped" }
    const [sever] = of("sever")
    if (sever !== undefined) {
      const half = Math.max(1, Math.floor((frame.headerBytes || frame.bytes.length) / 2))
      const bytes = frame.bytes.subarray(0, Math.min(sever.afterBytes ?? half, frame.bytes.length - 1))
      return { ...nothing, fate: "severed", writes: [{ bytes, copyOf: null }], ending: "sever" }
    }
    let bytes = [...frame.bytes]
    let headerBytes = frame.headerBytes
    for (const rule of rules) {
      const { action } = rule
      if (action.type === "truncateBody") bytes = bytes.slice(0, headerBytes + action.keep)
      if (action.type === "badLength") {
        const header = relengthed(choice, bytes.slice(0, headerBytes), action.value)
        bytes = [...header, ...bytes.slice(headerBytes)]
        headerBytes = header.length
      }
      if (action.type === "corrupt") {
        const body = bytes.length - headerBytes
        const drawn = headerBytes + (body === 0 ? 0 : chance.draw(body, label("byte", rule)))
        const offset = action.offset ?? drawn
        const at = offset < 0 ? bytes.length + offset : offset
        bytes = bytes.map((byte, place) => (place === at ? byte ^ action.xor : byte))
      }
    }
    const copies = Math.max(1, ...of("duplicate").map((action) => action.copies))
    const injected = (place: string): ReadonlyArray<Delivered> =>
      of("inject")
        .filter(({ at }) => at === place)
        .map((action) => ({ bytes: action.bytes, copyOf: null }))
    const copy: Delivered = { bytes: Uint8Array.from(bytes), copyOf: index }
    return {
      index,
      fate: "forwarded",
      copies,
      writes: [...injected("before"), ...Array.from({ length: copies }, () => copy), ...injected("after")],
      waits: of("reorder").length > 0 && !isAwaited,
      ending: (["reset", "vanish", "halfClose"] as const).find((type) => of(type).length > 0) ?? null
    }
  }
}

const isOf = <Type extends FaultAction["type"]>(
  action: FaultAction,
  type: Type
): action is Extract<FaultAction, { readonly type: Type }> => action.type === type

const isIn = (span: { readonly from: number; readonly to: number | null } | null, place: number): boolean =>
  span === null || (place >= span.from && (span.to === null || place <= span.to))

/** Whether the content is what a rule asks for: generated rules ask for nothing but the method and numbers. */
const isContent = ({ method, where }: FaultRule["match"], { bytes, headerBytes, kind }: SentFrame): boolean => {
  if (method === null && where === null) return true
  // No frame of a web socket that is generated holds JSON.
  if (kind !== null) return false
  const content = parsed(bytes.subarray(headerBytes))
  if (content === undefined) return false
  if (method !== null && valueAt(content, "/method") !== method) return false
  return [...(where ?? [])].every(([pointer, value]) => valueAt(content, pointer) === value)
}

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
