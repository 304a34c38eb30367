import type { Choice } from "./choice.ts"
import type { Draw } from "./choice-sources.ts"
import { type HeapEntry, makeEventHeap } from "./event-heap.ts"
import type { Op, OpSpec } from "./op.ts"
import { makeRunHash } from "./run-hash.ts"

/** A choice source that also picks among operations by what they are; without `pick` the draw is labelled `schedule`. */
export interface ScheduleChoice extends Choice {
  pick?(enabled: ReadonlyArray<Op>, step: number): number
}

/** One step of a run: the operation that happened, out of how many, and what was drawn since the step before. */
export interface RunStep {
  readonly step: number
  /** Virtual time at which it happened, in milliseconds. */
  readonly at: number
  readonly op: Op
  readonly enabled: number
  readonly draws: ReadonlyArray<Draw>
}

/**
 * A simulated world's order of events: pure, single-threaded, without a clock of its own. Everything that may happen next is an
 * operation; one choice source decides.
 *
 * **Source** simulation.md, sections 5.2, 5.3 and 5.6
 *
 * @since 0.1.0
 * @category kernel
 */
export interface SimKernel {
  /** Virtual time in milliseconds, with fractions. */
  now(): number
  /** Plans an operation `ms` from now; the function it gives forgets it. */
  plan(ms: number, spec: OpSpec, fire: () => void): () => void
  /** What may happen next, the calm choice first. */
  enabled(): ReadonlyArray<Op>
  /** Lets one operation happen; `null` when none is planned. */
  step(): Op | null
  /** Operations that are planned. */
  planned(): number
  /** Draws from the source; every draw is recorded and hashed. */
  readonly choice: Choice
  /** Every draw of the run, in order: the run can be had again from it. */
  readonly draws: ReadonlyArray<Draw>
  /** The newest steps, up to the bound. */
  steps(): ReadonlyArray<RunStep>
  stepCount(): number
  /** The hash of all draws and steps so far. */
  hash(): string
  /** Adds to the hash what a step showed. */
  note(text: string): void
}

/** How a kernel runs. */
export interface SimKernelOptions {
  readonly choice: ScheduleChoice
  /** Operations that are due within so many milliseconds of the first one may happen before it. Default 0. */
  readonly windowMs?: number
  /** Whether anything planned may happen next, however late it is due. Default: only what is due first. */
  readonly isUntimed?: boolean
  /** So many steps are kept. Default 100,000. */
  readonly stepsMax?: number
}

interface Planned extends Op, HeapEntry {
  readonly channel?: string
}

const stepsMaxDefault = 100_000

/** A heap larger than this is swept when most of it is forgotten. */
const sweepSizeMin = 1_024

/** @since 0.1.0 @category constructors */
export const makeSimKernel = (options: SimKernelOptions): SimKernel => {
  const { choice: source, windowMs = 0, isUntimed = false, stepsMax = stepsMaxDefault } = options
  // Only the first operation of a channel stands in the heap: the others cannot happen before it.
  const heap = makeEventHeap<Planned>()
  const channels = new Map<string, Array<Planned>>()
  const hash = makeRunHash()
  const draws: Array<Draw> = []
  const steps: Array<RunStep> = []
  let time = 0
  let ids = 0
  let chains = 0
  let stepCount = 0
  let planned = 0
  let current: Op | null = null
  let carriedOn = false
  let drawsSeen = 0

  const noteDraw = (label: string, n: number, answer: number): void => {
    draws.push({ label, n, answer })
    hash.text(label)
    hash.number(answer)
  }
  const choice: Choice = {
    draw(n, label) {
      const answer = n <= 1 ? 0 : source.draw(n, label)
      if (n > 1) noteDraw(label, n, answer)
      return answer
    }
  }

  const chainOf = (): number => {
    if (current === null || carriedOn) return ++chains
    carriedOn = true
    return current.chain
  }

  const forget = (entry: Planned): void => {
    if (entry.isForgotten) return
    entry.isForgotten = true
    planned--
    if (heap.size() > sweepSizeMin && heap.size() > 2 * planned) heap.sweep()
  }

  /** The next of a channel comes into the heap when the one before it has happened or was forgotten. */
  const promote = (channel: string): void => {
    const queue = channels.get(channel)
    queue?.shift()
    while (queue?.[0]?.isForgotten === true) queue.shift()
    const next = queue?.[0]
    if (next !== undefined) heap.push(next)
    else channels.delete(channel)
  }

  const dropForgotten = (): void => {
    for (let first = heap.peek(); first?.isForgotten === true; first = heap.peek()) {
      heap.pop()
      if (first.channel !== undefined) promote(first.channel)
    }
  }

  /** Takes the candidates out of the heap, the calm one first. */
  const takeEnabled = (): Array<Planned> => {
    dropForgotten()
    const first = heap.pop()
    if (first === undefined) return []
    const candidates = [first]
    const limit = isUntimed ? Number.POSITIVE_INFINITY : first.due + windowMs
    dropForgotten()
    for (let next = heap.peek(); next !== undefined && next.due <= limit; next = heap.peek()) {
      heap.pop()
      candidates.push(next)
      dropForgotten()
    }
    return candidates
  }

  const pickFrom = (candidates: ReadonlyArray<Planned>): number => {
    const n = candidates.length
    if (n === 1) return 0
    if (source.pick === undefined) return choice.draw(n, "schedule")
    const answer = source.pick(candidates, stepCount)
    noteDraw("schedule", n, answer)
    return answer
  }

  const remember = (op: Op, enabled: number): void => {
    hash.text(op.label)
    hash.text(op.actor)
    hash.number(time)
    if (steps.length >= stepsMax) steps.shift()
    steps.push({ step: stepCount, at: time, op, enabled, draws: draws.slice(drawsSeen) })
    drawsSeen = draws.length
  }

  return {
    now: () => time,
    plan(ms, spec, fire) {
      const id = ++ids
      const chain = chainOf()
      const causedBy = current?.id ?? null
      const queue = spec.channel === undefined ? undefined : channels.get(spec.channel)
      const earliest = queue?.at(-1)?.due ?? 0
      const due = Math.max(time + Math.max(0, ms), earliest)
      const entry: Planned = { ...spec, id, due, chain, causedBy, order: id, fire, isForgotten: false }
      planned++
      if (queue !== undefined) queue.push(entry)
      else {
        heap.push(entry)
        if (spec.channel !== undefined) channels.set(spec.channel, [entry])
      }
      return () => forget(entry)
    },
    enabled() {
      const candidates = takeEnabled()
      for (const candidate of candidates) heap.push(candidate)
      return candidates
    },
    step() {
      const candidates = takeEnabled()
      if (candidates.length === 0) return null
      const picked = pickFrom(candidates)
      const op = candidates[picked] ?? candidates[0]
      for (const candidate of candidates) if (candidate !== op) heap.push(candidate)
      if (op === undefined) return null
      time = Math.max(time, op.due)
      op.isForgotten = true
      planned--
      if (op.channel !== undefined) promote(op.channel)
      stepCount++
      current = op
      carriedOn = false
      remember(op, candidates.length)
      try {
        op.fire()
      } finally {
        current = null
      }
      return op
    },
    planned: () => planned,
    choice,
    draws,
    steps: () => steps,
    stepCount: () => stepCount,
    hash: hash.digest,
    note: hash.text
  }
}
