import type { SimKernel } from "../kernel/sim-kernel.ts"
import { fenceProblem, realTimers } from "./fence.ts"
import { giveBackAdopted } from "./fence-adopted-timeout.ts"
import { type Barrier, makeBarrier } from "./fence-barrier.ts"
import { Deadlock, FenceRefused, RealWorkStuck } from "./fence-errors.ts"
import { type Allowance, anyTag, enterRun, type FenceRun, insideRun, makeRun, type RealJob } from "./fence-run.ts"
import { watchUncaught } from "./fence-uncaught.ts"
import { makeRealWait } from "./fence-wait.ts"
import { watchEscapes } from "./fence-watch.ts"
import type { HeldThings } from "./held-things.ts"
import { livelockOf } from "./run-livelock.ts"

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
  /** Called once when the program has ended, also when it failed or hangs, and waited for. Its error fails a run that had not failed. */
  readonly close?: () => PromiseLike<void>
  /** Ids and random bytes are hashed from it. Default 0. */
  readonly seed?: number
  readonly limits?: RunLimits
  readonly allow?: ReadonlyArray<Allowance>
  /** Who wants to know which timers are left. */
  readonly held?: HeldThings | undefined
  /** What to fail with for an error that nobody caught and that came when the program had ended well. Default: the error. */
  readonly leftBehind?: (error: unknown) => unknown
  /** Who waits for what, one line each; asked when the program hangs or does not end. */
  readonly waiting?: () => ReadonlyArray<string>
}

/** What a run cost and came to. */
export interface RunStats {
  /** Steps until the program's end, and after it, in which it was closed and ran dry. */
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
  | {
      readonly status: "failed"
      readonly error: unknown
      /** The step of the kernel during which or after which it failed; 0 is before the first. */
      readonly step: number
      readonly stats: RunStats
    }

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
  const run = makeRun(program)
  return new Promise((resolve) => {
    const leave = enterRun(run)
    const unwatch = watchEscapes()
    const release = watchUncaught(run)
    insideRun(run, () =>
      drive({ program, run, barrier }, (outcome) => {
        release()
        unwatch()
        leave()
        giveBackAdopted(run)
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
  let ended: Settled<A> | null = null
  let atEnd: Measure | null = null
  let failedStep = 0
  let isClosed = false
  /** Real work did not come back, and is waited for no more: closers need none of it. */
  let isStuck = false
  let closeSteps = 0
  let coolSteps = 0

  const measure = (): Measure => ({
    steps: kernel.stepCount() - stepsBefore,
    atMs: kernel.now(),
    left: kernel.planned()
  })
  const isFailed = (): boolean => ended !== null && "error" in ended
  const finish = (how: Settled<A>): void => {
    const cool = { coolSteps: closeSteps + coolSteps, hash: kernel.hash(), ...wait.counts() }
    const stats = { ...(atEnd ?? measure()), ...cool }
    const problem = "error" in how ? null : fenceProblem()
    const step = problem === null ? failedStep : kernel.stepCount()
    if (problem !== null) end({ status: "failed", error: problem, step, stats })
    else if ("error" in how) end({ status: "failed", error: how.error, step, stats })
    else end({ status: "returned", value: how.value, stats })
  }
  /** The first error of a run is the one that counts. */
  const endWith = (how: Settled<A>): void => {
    if (isFailed()) return
    if ("error" in how) failedStep = kernel.stepCount()
    ended = how
  }
  const close = (how: Settled<A>): void => {
    atEnd = measure()
    endWith(how)
    const closed = insideRun(run, () => new Promise<void>((resolve) => resolve(program.close?.())))
    closed.then(
      () => {
        isClosed = true
      },
      (error: unknown) => {
        isClosed = true
        endWith({ error })
      }
    )
    barrier.drain(tick)
  }

  const handOver = (): void => {
    wait.isOver()
    run.jobs.shift()?.finish?.()
    barrier.drain(tick)
  }
  const hang = (): void => {
    if (wait.grace(tick)) return
    const { runnerTimers } = run
    throw new Deadlock({ waiting: program.waiting?.() ?? [], runnerTimers, ...measure() })
  }
  const step = (): void => {
    wait.isOver()
    if (measure().steps >= limits.stepsMax) throw livelockOf(program, "steps", measure())
    kernel.step({ lingers: true })
    if (kernel.now() > limits.virtualMsMax) throw livelockOf(program, "time", measure())
    barrier.drain(tick)
  }
  const closeDown = (how: Settled<A>): void => {
    const stepsMax = isFailed() ? limits.coolStepsMax : limits.stepsMax
    if (kernel.planned() === 0) hang()
    else if (closeSteps < stepsMax) {
      wait.isOver()
      closeSteps++
      kernel.step({ lingers: true })
      barrier.drain(tick)
    } else if (isFailed()) finish(how)
    else throw livelockOf(program, "steps", measure())
  }
  const coolDown = (how: Settled<A>): void => {
    wait.isOver()
    if (kernel.planned() === 0 || coolSteps >= limits.coolStepsMax) {
      finish(how)
      return
    }
    coolSteps++
    kernel.step({ lingers: true })
    barrier.drain(tick)
  }

  const uncaught = (error: unknown): unknown =>
    settled === null || "error" in settled ? error : (program.leftBehind?.(error) ?? error)
  const pendingWork = (job: RealJob | undefined): ReadonlyArray<string> =>
    job === undefined ? barrier.requests() : job.finish === null ? run.jobs.map(({ what }) => what) : []
  const advance = (): void => {
    if (!isFailed() && run.escapes.length > 0) throw run.escapes[0]
    if (!isFailed() && run.uncaught.length > 0) throw uncaught(run.uncaught[0])
    const [job] = isStuck ? [] : run.jobs
    const pending = isStuck ? [] : pendingWork(job)
    if (pending.length > 0) wait.forWork(pending, tick)
    else if (job !== undefined) handOver()
    else if (ended !== null) (isClosed ? coolDown : closeDown)(ended)
    else if (settled !== null) close(settled)
    else if (kernel.planned() === 0) hang()
    else step()
  }
  /** What goes wrong ends the program, which is then closed; where that goes wrong too, nothing more is waited for. */
  const stop = (error: unknown): void => {
    const isNews = !isFailed() || (error instanceof RealWorkStuck && !isStuck)
    if (error instanceof RealWorkStuck) isStuck = true
    if (ended === null) {
      close({ error })
      return
    }
    endWith({ error })
    if (isNews) barrier.drain(tick)
    else finish(ended)
  }
  const tick = (): void => {
    try {
      advance()
    } catch (error) {
      stop(error)
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
