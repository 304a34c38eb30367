import { InvalidOption } from "../domain/errors.ts"
import { makeAgenda, type Planned } from "./agenda.ts"
import type { Choice } from "./choice.ts"
import type { Draw } from "./choice-sources.ts"
import { type KeptState, makeKeptState } from "./kept-state.ts"
import type { Op, OpSpec } from "./op.ts"
import { makeRunHash } from "./run-hash.ts"
import { makeStepLog, type RunStep } from "./step-log.ts"

export type { RunStep } from "./step-log.ts"

/** A choice source that also picks among operations by what they are; without `pick` it draws, labelled `schedule`. */
export interface ScheduleChoice extends Choice {
  /** Asked at every step, also when one operation alone may happen. `enabled` is good during the call only. */
  pick?(enabled: ReadonlyArray<Op>, step: number): number
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
  /**
   * What may happen next, the calm choice first: what is due first, and of equals what was planned first. A chain that was
   * picked against that order goes on first, as long as it can, so that one choice holds back all others.
   */
  enabled(): ReadonlyArray<Op>
  /**
   * Lets one operation happen; `null` when none is planned. With `lingers`, what is planned until the next step still
   * counts as planned by this one: promises that it settled go on after it has returned.
   */
  step(options?: { readonly lingers: boolean }): Op | null
  /** Operations that are planned. */
  planned(): number
  /** What is planned, as text, the time, and what parts of the world have said that they keep: the state of the world. */
  outlook(): string
  /** What parts of the world keep. */
  readonly kept: KeptState
  /** Draws from the source; every draw is recorded and hashed. */
  readonly choice: Choice
  /** Every draw of the run, in order: the run can be had again from it. */
  readonly draws: ReadonlyArray<Draw>
  /** The newest steps, up to the bound; put together when asked for. */
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

const nothing = (): void => {}

const stepsMaxDefault = 100_000

/**
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeSimKernel = (options: SimKernelOptions): SimKernel => {
  const { choice: source, windowMs = 0, isUntimed = false, stepsMax = stepsMaxDefault } = options
  if (!(windowMs >= 0)) throw new InvalidOption(`windowMs is ${windowMs}; give a number of milliseconds from 0`)
  const agenda = makeAgenda({ windowMs, isUntimed })
  const hash = makeRunHash()
  const draws: Array<Draw> = []
  const log = makeStepLog(stepsMax, draws)
  const kept = makeKeptState()
  let time = 0
  let ids = 0
  let chains = 0
  let stepCount = 0
  let current: Op | null = null
  let children = 0
  let outsiders = 0

  const noteDraw = (label: string, n: number, answer: number): void => {
    draws.push({ label, n, answer })
    hash.text(label)
    hash.number(answer)
  }
  const choice: Choice = {
    draw(n, label, calmWeight) {
      const answer = n <= 1 ? 0 : source.draw(n, label, calmWeight)
      if (n > 1) noteDraw(label, n, answer)
      return answer
    }
  }

  const pickFrom = (ready: ReadonlyArray<Op>): number => {
    const n = ready.length
    if (source.pick === undefined) return n === 1 ? 0 : choice.draw(n, "schedule")
    const answer = source.pick(ready, stepCount)
    if (n > 1) noteDraw("schedule", n, answer)
    return answer
  }

  /** The first that an operation plans carries its chain on. */
  const chainOf = (): number => (current === null || children > 0 ? ++chains : current.chain)

  return {
    now: () => time,
    plan(ms, spec, fire) {
      const id = ++ids
      const { kind, label, actor, from, channel, touches, isPrompt } = spec
      const entry: Planned = {
        kind,
        label,
        actor,
        from,
        channel,
        touches,
        isPrompt,
        id,
        // What is no number is at once: it would never be due.
        due: time + Math.max(0, ms || 0),
        chain: chainOf(),
        causedBy: current === null ? null : current.id,
        nth: current === null ? outsiders++ : children++,
        order: id,
        fire,
        isForgotten: false,
        next: null,
        isFirst: false,
        isReady: false
      }
      agenda.add(entry)
      return () => agenda.forget(entry)
    },
    enabled: () => agenda.ready().slice(),
    step(how) {
      current = null
      const ready = agenda.ready()
      const enabled = ready.length
      if (enabled === 0) return null
      const op = agenda.take(pickFrom(ready))
      time = Math.max(time, op.due)
      stepCount++
      current = op
      children = 0
      hash.text(op.label)
      hash.text(op.actor)
      hash.number(time)
      log.add(stepCount, time, op, enabled)
      const { fire } = op
      // The log keeps operations; what they would do need not be kept with them.
      op.fire = nothing
      op.next = null
      try {
        fire()
      } finally {
        if (how?.lingers !== true) current = null
      }
      return op
    },
    planned: agenda.size,
    outlook: () => `${outlookOf(time, agenda.all())} ${kept.text()}`,
    kept,
    choice,
    draws,
    steps: log.steps,
    stepCount: () => stepCount,
    hash: hash.digest,
    note: hash.text
  }
}

/** In which order channels were planned into decides nothing but which order is calm; within a channel it is the order of things. */
const outlookOf = (time: number, planned: ReadonlyArray<Op>): string => {
  const told = planned.map(({ due, kind, label, actor, channel }) => {
    const lane = channel === undefined ? `${actor} ${kind} ${label}` : `${actor} ${channel}`
    return { due, lane, text: JSON.stringify([due, kind, label, actor, channel ?? ""]) }
  })
  const sorted = told.sort(
    (one, other) => one.due - other.due || (one.lane < other.lane ? -1 : Number(one.lane !== other.lane))
  )
  return `${time} ${sorted.map(({ text }) => text).join(" ")}`
}
