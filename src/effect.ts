import { Context, Effect, Layer, type Scope } from "effect"
import {
  checkSimRuntime,
  makeEffectRuntime,
  type SimRuntime,
  type SimRuntimeOptions
} from "./campaign/effect-runtime.ts"
import type { SimWorld as SimRun } from "./campaign/sim-world.ts"
import type { StartFailed } from "./domain/errors.ts"
import { InvalidOption } from "./domain/errors.ts"
import type { MockInferenceServer, ServerOptions, ServerPreset } from "./inference/server-api.ts"
import { startServer } from "./inference/start-server.ts"
import type { Choice } from "./kernel/choice.ts"
import { calmChoice } from "./kernel/choice-sources.ts"
import { makeTrace } from "./kernel/trace.ts"
import { makeVirtualClock, type VirtualClock } from "./kernel/virtual-clock.ts"
import { liveClock } from "./live/clock.ts"
import { liveHttp } from "./live/http-server.ts"
import { ChoicePort, ClockPort, HttpServerPort, TracePort } from "./ports/services.ts"
import { makeVirtualHttp, type VirtualHttp } from "./sim/virtual-http.ts"
import { makeLifetime } from "./supervisor/lifetime.ts"
import { makeSupervisor, type Supervisor as Shape } from "./supervisor/supervisor.ts"

/**
 * The supervisor that runs charts, as a service: one mailbox over the clock and the trace of the world at hand.
 *
 * @since 0.1.0
 * @category services
 */
export class Supervisor extends Context.Service<Supervisor, Shape>()("llm-understudy/Supervisor") {
  static readonly layer = Layer.effect(
    Supervisor,
    Effect.gen(function* () {
      return Supervisor.of(makeSupervisor({ clock: yield* ClockPort, trace: yield* TracePort }))
    })
  )
}

const traceLayer = Layer.effect(
  TracePort,
  Effect.gen(function* () {
    return makeTrace(yield* ClockPort)
  })
)

/**
 * Everything on this machine: its clock, its sockets, a supervisor.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerLive: Layer.Layer<Supervisor | ClockPort | ChoicePort | HttpServerPort | TracePort> =
  Supervisor.layer.pipe(
    Layer.provideMerge(traceLayer),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.succeed(ClockPort, liveClock),
        Layer.succeed(ChoicePort, calmChoice),
        Layer.succeed(HttpServerPort, liveHttp)
      )
    )
  )

/** A simulated world: its ports as layers, and what a test moves it by. */
export interface SimWorld {
  readonly clock: VirtualClock
  readonly http: VirtualHttp
  readonly layer: Layer.Layer<Supervisor | ClockPort | ChoicePort | HttpServerPort | TracePort>
}

/**
 * A world in virtual time.
 *
 * **Takes** the choice source; without one, the calm default
 *
 * @since 0.1.0
 * @category layers
 */
export const layerSim = (choice: Choice = calmChoice): SimWorld => {
  const clock = makeVirtualClock(choice)
  const http = makeVirtualHttp(clock)
  const ports = Layer.mergeAll(
    Layer.succeed(ClockPort, clock),
    Layer.succeed(ChoicePort, choice),
    Layer.succeed(HttpServerPort, http)
  )
  return { clock, http, layer: Supervisor.layer.pipe(Layer.provideMerge(traceLayer), Layer.provideMerge(ports)) }
}

/**
 * What programs in a simulated run may ask for: the ports of its world, and a supervisor.
 *
 * @since 0.1.0
 * @category services
 */
export type SimServices = Supervisor | ClockPort | ChoicePort | HttpServerPort | TracePort

/**
 * Runs programs of Effect inside a run of `simTest`, `explore` or `withSim`: which of the ready fibers goes on is drawn from the
 * run's choice source, clock and chance are the run's, and what is left at its end is interrupted.
 *
 * **Takes** `preempts`: whether fibers may lose their turn before any operation. Then lost updates are found in code that
 * nowhere yields
 * **Fails** with `InvalidOption` for what is no world of a run, and for options that there are not
 * **Source** simulation.md, section 3.3
 *
 * @since 0.1.0
 * @category simulation
 */
export const simRuntime = (
  sim: Pick<SimRun, "as" | "onEnd" | "onHang" | "ports" | "seed">,
  given: SimRuntimeOptions = {}
): SimRuntime<SimServices> => {
  checkSimRuntime(sim, given)
  const { over, ...options } = given
  const { clock, choice, http } = sim.ports
  const trace = makeTrace(clock)
  const services = Context.make(ClockPort, clock).pipe(
    Context.add(ChoicePort, choice),
    Context.add(HttpServerPort, http(over)),
    Context.add(TracePort, trace),
    Context.add(Supervisor, makeSupervisor({ clock, trace }))
  )
  return makeEffectRuntime(sim, options, { services, runForkWith: Effect.runForkWith })
}

/**
 * A mock model provider whose lifetime is a scope: closing the scope closes the server, which lets running answers
 * finish for a second.
 *
 * **Fails** with `StartFailed` when the port cannot be had, `InvalidOption` when an option is out of range
 *
 * @since 0.1.0
 * @category constructors
 */
export const inferenceServer = (
  options: ServerOptions & ServerPreset = {}
): Effect.Effect<MockInferenceServer, StartFailed | InvalidOption, ClockPort | HttpServerPort | Scope.Scope> =>
  Effect.acquireRelease(acquireServer(options), (server) => Effect.promise(() => server.close()))

const acquireServer = Effect.fnUntraced(function* (options: ServerOptions & ServerPreset) {
  const clock = yield* ClockPort
  const http = yield* HttpServerPort
  const lifetime = makeLifetime(Effect.runSync)
  return yield* Effect.callback<MockInferenceServer, StartFailed | InvalidOption>((resume) => {
    try {
      startServer({ clock, http, lifetime }, options, {
        started: (server) => resume(Effect.succeed(server)),
        failed: (error) => resume(Effect.fail(error))
      })
    } catch (error) {
      resume(error instanceof InvalidOption ? Effect.fail(error) : Effect.die(error))
    }
  })
})

export type { SimRunOptions, SimRuntime, SimRuntimeOptions } from "./campaign/effect-runtime.ts"
export {
  type ActionOf,
  type Chart,
  compileChart,
  type Performer,
  type Snapshot,
  type Step
} from "./supervisor/chart.ts"
export type { ChartAction, ChartEvent } from "./supervisor/chart-step.ts"
export { type Actor, type ActorKind, actorKind } from "./supervisor/supervisor.ts"
export { UnsupportedChart } from "./supervisor/unsupported-chart.ts"
export { ChoicePort, ClockPort, HttpServerPort, TracePort }
