import type { SimKernel } from "../kernel/sim-kernel.ts"
import { fenceProblem, realTimers } from "./fence.ts"
import { type Barrier, makeBarrier } from "./fence-barrier.ts"
import { Deadlock, FenceRefused, Livelock } from "./fence-errors.ts"
import { type Allowance, anyTag, enterRun, type FenceRun, insideRun } from "./fence-run.ts"
import { watchUncaught } from "./fence-uncaught.ts"
import { makeRealWait } from "./fence-wait.ts"
import { watchEscapes } from "./fence-watch.ts"

/**
 * How far a run may go.
 *
 * @since 0.1.0
 * @category models
 */
export interface RunLimits {
  /** Default 100,000. */
  readonly stepsMax?: number
  /** Virtual time. Default a year. */
  readonly virtualMsMax?: number
  /** Steps after the program's end in which what is left of it runs dry. Default 1,000. */
  readonly coolStepsMax?: number
  /** Real time that one wait for files or the thread pool may take. Default 10,000. */
  readonly realMsMax?: number
  /**
   * Real time in which work that nobody sees, a dynamic import, may still come back before a hang is called one. Default
   * 1,000 in the first run of a process, in which modules are loaded, and 20 in every other.
   */
  readonly graceMs?: number
}

/**
 * A program to run on a kernel.
 *
 * @since 0.1.0
 * @category models
 */
export interface FencedProgram<A> {
  readonly kernel: SimKernel
  readonly main: () => A | PromiseLike<A>
  /** Ids and random bytes are hashed from it. Default 0. */
  readonly seed?: number
  readonly limits?: RunLimits
  readonly allow?: ReadonlyArray<Allowance>
  /** Who waits for what, one line each; asked when the program hangs or does not end. */
  readonly waiting?: () => ReadonlyArray<string>
}

/** What a run cost and came to. */
export interface RunStats {
  /** Steps until the program's end, and after it. */
  readonly steps: number
  readonly coolSteps: number
  /** Virtual time at the program's end. */
  readonly atMs: number
  /** Operations that were still planned at the program's end. */
  readonly left: number
  /** Of the whole run, what ran dry after its end included. */
  readonly hash: string
  /** How often the run stood still for real work. */
  readonly realWaits: number
  /** How often it would have hung but for work that nobody saw: such a run may differ next time. */
  readonly lateWork: number
}

/**
 * How a run ended.
 *
 * @since 0.1.0
 * @category models
 */
export type RunOutcome<A> =
  | { readonly status: "returned"; readonly value: A; readonly stats: RunStats }
  | { readonly status: "failed"; readonly error: unknown; readonly stats: RunStats }

let lastRun: Promise<unknown> = Promise.resolve()
let isFirstRun = true

/**
 * Runs a program of foreign code to its end in virtual time: everything that its promises can do is done, then one operation
 * of the kernel happens, and so on. Runs of one process wait for each other. The world is as before after each, also when the
 * program throws. The outcome's error is the program's own, an error that nobody caught, or one of `Deadlock`, `Livelock`,
 * `EscapedFence` and `RealWorkStuck`.
 *
 * **Fails** with `FenceRefused` when other fake timers are active, or inside a run
 * **Source** simulation.md, sections 4.1 and 4.3
 *
 * @since 0.1.0
 * @category simulation
 */
export const runFenced = <A>(program: FencedProgram<A>): Promise<RunOutcome<A>> => {
  if (anyTag() !== null)
    return Promise.reject(new FenceRefused("a run cannot begin inside a run: return from it first"))
  const run = lastRun.then(() => runNow(program))
  lastRun = run.catch(() => {})
  return run
}

const runNow = <A>(program: FencedProgram<A>): Promise<RunOutcome<A>> => {
  const barrier = makeBarrier(realTimers())
  const run: FenceRun = {
    kernel: program.kernel,
    seed: program.seed ?? 0,
    allow: new Set(program.allow),
    jobs: [],
    escapes: [],
    uncaught: [],
    ordinals: new Map(),
    isOver: false,
    foreignCalls: 0
  }
  return new Promise((resolve) => {
    const leave = enterRun(run)
    const unwatch = watchEscapes()
    const release = watchUncaught(run)
    insideRun(run, () =>
      drive({ program, run, barrier }, (outcome) => {
        release()
        unwatch()
        leave()
        isFirstRun = false
        resolve(outcome)
      })
    )
  })
}

interface Drive<A> {
  readonly program: FencedProgram<A>
  readonly run: FenceRun
  readonly barrier: Barrier
}

type Measure = Pick<RunStats, "steps" | "atMs" | "left">

type Settled<A> = { readonly value: A } | { readonly error: unknown }

/** The loop of one run; it goes on by itself until `end` is called, exactly once. */
const drive = <A>({ program, run, barrier }: Drive<A>, end: (outcome: RunOutcome<A>) => void): void => {
  const { kernel, main } = program
  const limits = { ...limitsDefault, graceMs: isFirstRun ? graceMsFirst : graceMsDefault, ...program.limits }
  const wait = makeRealWait(barrier, limits)
  const stepsBefore = kernel.stepCount()
  let settled: Settled<A> | null = null
  let atEnd: Measure | null = null
  let coolSteps = 0

  const measure = (): Measure => ({
    steps: kernel.stepCount() - stepsBefore,
    atMs: kernel.now(),
    left: kernel.planned()
  })
  const finish = (how: Settled<A>): void => {
    const stats = { ...(atEnd ?? measure()), coolSteps, hash: kernel.hash(), ...wait.counts() }
    const problem = "error" in how ? null : fenceProblem()
    if (problem !== null) end({ status: "failed", error: problem, stats })
    else if ("error" in how) end({ status: "failed", error: how.error, stats })
    else end({ status: "returned", value: how.value, stats })
  }

  const handOver = (): void => {
    wait.isOver()
    run.jobs.shift()?.finish?.()
    barrier.drain(tick)
  }
  const hang = (): void => {
    if (wait.grace(tick)) return
    throw new Deadlock({ waiting: program.waiting?.() ?? [], ...measure() })
  }
  const step = (): void => {
    wait.isOver()
    if (measure().steps >= limits.stepsMax) throw livelock(program, "steps", measure())
    kernel.step({ lingers: true })
    if (kernel.now() > limits.virtualMsMax) throw livelock(program, "time", measure())
    barrier.drain(tick)
  }
  const coolDown = (how: Settled<A>): void => {
    wait.isOver()
    atEnd ??= measure()
    if (kernel.planned() === 0 || coolSteps >= limits.coolStepsMax) {
      finish(how)
      return
    }
    coolSteps++
    kernel.step({ lingers: true })
    barrier.drain(tick)
  }

  const advance = (): void => {
    if (run.escapes.length > 0) throw run.escapes[0]
    if (run.uncaught.length > 0) throw run.uncaught[0]
    const [job] = run.jobs
    const pending = job === undefined ? barrier.requests() : job.finish === null ? run.jobs.map(({ what }) => what) : []
    if (pending.length > 0) wait.forWork(pending, tick)
    else if (job !== undefined) handOver()
    else if (settled !== null) coolDown(settled)
    else if (kernel.planned() === 0) hang()
    else step()
  }
  const tick = (): void => {
    try {
      advance()
    } catch (error) {
      finish({ error })
    }
  }

  new Promise<A>((resolve) => resolve(main())).then(
    (value) => {
      settled = { value }
    },
    (error: unknown) => {
      settled = { error }
    }
  )
  barrier.drain(tick)
}

const graceMsFirst = 1_000
const graceMsDefault = 20

const limitsDefault = {
  stepsMax: 100_000,
  virtualMsMax: 365 * 24 * 3_600_000,
  coolStepsMax: 1_000,
  realMsMax: 10_000
}

/** So many labels are named. */
const busiestMax = 3

const livelock = (
  { kernel, waiting }: Pick<FencedProgram<unknown>, "kernel" | "waiting">,
  limit: "steps" | "time",
  { steps, atMs }: Measure
): Livelock => {
  const counts = new Map<string, number>()
  for (const { op } of kernel.steps().slice(-1_000)) {
    const name = `${op.actor} ${op.label}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const busiest = [...counts].sort(([, a], [, b]) => b - a).slice(0, busiestMax)
  return new Livelock({
    limit,
    atMs,
    steps,
    busiest: busiest.map(([name, count]) => `${name} (${count})`),
    waiting: waiting?.() ?? []
  })
}
