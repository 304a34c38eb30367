import type { SimKernel } from "../kernel/sim-kernel.ts"
import type { AdoptedTimeout } from "./fence-adopted-timeout.ts"
import { EscapedFence, ForeignRun } from "./fence-errors.ts"
import { fenceShared } from "./fence-shared.ts"
import type { HeldThings } from "./held-things.ts"

/**
 * What code inside a run may reach although it is real: no seed repeats what comes back, only its order.
 *
 * @since 0.1.0
 * @category models
 */
export type Allowance = "fs" | "net" | "dns" | "child_process" | "worker" | "timers" | "keys"

/** Work of the thread pool: `finish` hands its result over once it is there. */
export interface RealJob {
  readonly what: string
  finish: (() => void) | null
}

/** One run, as the fence sees it. */
export interface FenceRun {
  readonly kernel: SimKernel
  /** Ids and random bytes are hashed from it. */
  readonly seed: number
  readonly allow: ReadonlySet<Allowance>
  /** In the order in which they were called. */
  readonly jobs: Array<RealJob>
  /** The newest are dropped past the bound. */
  readonly escapes: Array<EscapedFence>
  /** Errors of the run's code that nobody caught. */
  readonly uncaught: Array<unknown>
  /** Real timers that the run has taken over. */
  readonly adopted: Map<object, AdoptedTimeout>
  /** What code of the run holds open; `null` where nobody wants to know. */
  readonly held: HeldThings | null
  /** How many real timers the test runner has started for code of the run. */
  runnerTimers: number
  /** Running numbers by label. */
  readonly ordinals: Map<string, number>
  isOver: boolean
  /** Calls of this run's code that came after its end. */
  foreignCalls: number
}

/** A run that has not begun. */
export const makeRun = (parts: {
  readonly kernel: SimKernel
  readonly seed?: number
  readonly allow?: ReadonlyArray<Allowance>
  readonly held?: HeldThings | undefined
}): FenceRun => ({
  kernel: parts.kernel,
  seed: parts.seed ?? 0,
  allow: new Set(parts.allow),
  jobs: [],
  escapes: [],
  uncaught: [],
  adopted: new Map(),
  held: parts.held ?? null,
  runnerTimers: 0,
  ordinals: new Map(),
  isOver: false,
  foreignCalls: 0
})

/** Which run a piece of code belongs to, and for whom it works. */
export interface RunTag {
  readonly run: FenceRun
  readonly actor: string
}

const escapesMax = 16

/** Whoever plans more jobs than this at once has a loop. */
const jobsMax = 100_000

/** The actor of code that nobody gave another. */
export const mainActor = "main"

export const currentRun = (): FenceRun | null => fenceShared().current

/** Makes `run` the current one; the function it gives ends it. */
export const enterRun = (run: FenceRun): (() => void) => {
  const shared = fenceShared()
  shared.current = run
  return () => {
    run.isOver = true
    if (shared.current === run) shared.current = null
  }
}

/** Does `body` as code of the run; timers and promises that it starts are code of the run too. */
export const insideRun = <A>(run: FenceRun, body: () => A): A => fenceShared().tags.run({ run, actor: mainActor }, body)

/**
 * Does `body`, and all that comes of it, in the name of `actor`: a client among several in one run has timers and draws of
 * its own. Outside a run it just does it.
 *
 * @since 0.1.0
 * @category simulation
 */
export const asActor = <A>(actor: string, body: () => A): A => {
  const { tags } = fenceShared()
  const tag = tags.getStore()
  return tag === undefined ? body() : tags.run({ run: tag.run, actor }, body)
}

/** The tag of the code that asks, also when its run is over; `null` for code of no run. */
export const anyTag = (): RunTag | null => fenceShared().tags.getStore() ?? null

/** In whose name the code that asks is running. */
export const currentActor = (): string => anyTag()?.actor ?? mainActor

/**
 * The tag of the code that asks; `null` when it belongs to no run, which gets the real thing.
 *
 * **Fails** with `ForeignRun` when its run is over
 */
export const tagFor = (what: string): RunTag | null => {
  const shared = fenceShared()
  const tag = shared.tags.getStore()
  if (tag === undefined) return null
  if (tag.run === shared.current) return tag
  tag.run.foreignCalls++
  shared.foreignCalls++
  throw new ForeignRun(what)
}

/** How often this process refused code of a run that was over. */
export const foreignCallCount = (): number => fenceShared().foreignCalls

export const nextOrdinal = ({ ordinals }: FenceRun, label: string): number => {
  const ordinal = (ordinals.get(label) ?? 0) + 1
  ordinals.set(label, ordinal)
  return ordinal
}

/** Notes that code of the run reached for `what`. */
export const noteEscape = (run: FenceRun, error: EscapedFence): EscapedFence => {
  if (run.escapes.length < escapesMax) run.escapes.push(error)
  return error
}

/** A job of the run begins; what it gives is called with the hand-over when the result is there. */
export const beginJob = (run: FenceRun, what: string): ((finish: () => void) => void) => {
  const job: RealJob = { what, finish: null }
  if (run.jobs.length >= jobsMax) {
    throw noteEscape(run, new EscapedFence(`${what} ${jobsMax} times at once`, "wait for some of them first"))
  }
  run.jobs.push(job)
  return (finish) => {
    job.finish = finish
  }
}

/**
 * Real work that the fence does not know of: the run stands still until it has settled, and jobs that race are handed over
 * in the order of these calls. Outside a run it is the promise itself.
 *
 * @since 0.1.0
 * @category simulation
 */
export const trackRealWork = <A>(what: string, work: Promise<A>): Promise<A> => {
  const tag = tagFor(what)
  if (tag === null) return work
  const ended = beginJob(tag.run, what)
  return new Promise((resolve, reject) => {
    work.then(
      (value) => ended(() => resolve(value)),
      (error: unknown) => ended(() => reject(error))
    )
  })
}
