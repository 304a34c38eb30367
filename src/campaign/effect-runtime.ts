import { Cause, Clock, Context, type Effect, Exit, type Fiber, Layer, Scheduler, Tracer } from "effect"
import { InvalidOption } from "../domain/errors.ts"
import { aFunction, aName, having, members, type OptionCheck, oneOf, shown, yesOrNo } from "../domain/option-checks.ts"
import { makeEffectClock } from "../sim/effect-clock.ts"
import { makeEffectFibers } from "../sim/effect-fibers.ts"
import { makeEffectScheduler } from "../sim/effect-scheduler.ts"
import { makeEffectTracer } from "../sim/effect-tracer.ts"
import type { SimWorld } from "./sim-world.ts"

/**
 * How programs of one actor run.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimRuntimeOptions {
  /** Whose programs they are, in the trace. Default: that of `sim.as`, or `main`. */
  readonly actor?: string
  /**
   * Whether a fiber may lose its turn before any of its operations, wherever the choice source says. Default false: where it
   * waits or yields, as in Effect.
   */
  readonly preempts?: boolean
  /** How servers that a program starts are reached: by whole messages, the default, or by bytes. */
  readonly over?: "messages" | "bytes"
}

/** What Effect lets a program be started with; the scheduler is the run's. */
export type SimRunOptions = Omit<Effect.RunOptions, "scheduler">

/**
 * Runs programs of Effect in a simulated run. Whatever has not ended when the run's program ends is interrupted then.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimRuntime<R> {
  runFork<A, E>(effect: Effect.Effect<A, E, R>, options?: SimRunOptions): Fiber.Fiber<A, E>
  /** **Fails** with the first error of the cause, as `Effect.runPromise` does */
  runPromise<A, E>(effect: Effect.Effect<A, E, R>, options?: SimRunOptions): Promise<A>
  runPromiseExit<A, E>(effect: Effect.Effect<A, E, R>, options?: SimRunOptions): Promise<Exit.Exit<A, E>>
  /** Scheduler, clock, spans and services of the run, for a `ManagedRuntime`. */
  readonly layer: Layer.Layer<R>
}

/** How the edge of the program starts a fiber. */
export type RunForkWith = <R>(
  context: Context.Context<R>
) => <A, E>(effect: Effect.Effect<A, E, R>, options?: Effect.RunOptions) => Fiber.Fiber<A, E>

const checks: Readonly<Record<keyof SimRuntimeOptions, OptionCheck>> = {
  actor: aName,
  preempts: yesOrNo,
  over: oneOf(["messages", "bytes"])
}
const aWorld = having({ as: aFunction, onEnd: aFunction, onHang: aFunction })

/** **Fails** with `InvalidOption` for what no runtime can be made of. */
export const checkSimRuntime = (sim: unknown, options: unknown): void => {
  const noWorld = "give the world of a run, as the body of a simulated test gets it"
  const problem = aWorld(sim, "sim") === null ? members(checks)(options, "") : `sim is ${shown(sim)}; ${noWorld}`
  if (problem !== null) throw new InvalidOption(`simRuntime(sim, options): ${problem}`)
}

/**
 * **Takes** the services that programs may ask for
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeEffectRuntime = <R>(
  sim: Pick<SimWorld, "as" | "onEnd" | "onHang" | "ports" | "seed">,
  options: Omit<SimRuntimeOptions, "over">,
  edge: { readonly services: Context.Context<R>; readonly runForkWith: RunForkWith }
): SimRuntime<R> => {
  const { ports, seed } = sim
  const { actor = ports.actor(), preempts = false } = options
  const fibers = makeEffectFibers(ports, actor)
  sim.onHang(fibers.waiting)
  sim.onEnd(fibers.end)

  const context = edge.services.pipe(
    Context.add(Scheduler.Scheduler, makeEffectScheduler(ports, { actor, preempts, fibers })),
    Context.add(Clock.Clock, makeEffectClock(ports, actor)),
    Context.add(Tracer.Tracer, makeEffectTracer(seed, actor))
  )
  const start = edge.runForkWith(context)

  const runFork: SimRuntime<R>["runFork"] = (effect, how) => {
    if (fibers.isOver()) throw new Error("the simulated run is over: no program of Effect can begin in it")
    const fiber = sim.as(actor, () => start(effect, how))
    fibers.started(fiber)
    return fiber
  }
  const runPromiseExit: SimRuntime<R>["runPromiseExit"] = (effect, how) =>
    new Promise((resolve) => {
      runFork(effect, how).addObserver(resolve)
    })
  return {
    runFork,
    runPromiseExit,
    async runPromise(effect, how) {
      const exit = await runPromiseExit(effect, how)
      if (Exit.isSuccess(exit)) return exit.value
      throw Cause.squash(exit.cause)
    },
    layer: Layer.succeedContext(context)
  }
}
