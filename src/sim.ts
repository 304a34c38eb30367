import { Effect } from "effect"
import type { Campaign, CampaignOptions, SimProgram } from "./campaign/campaign.ts"
import { type FuzzOptions, fuzzProgram } from "./campaign/fuzz/fuzz.ts"
import type { FuzzClient } from "./campaign/fuzz/fuzz-client.ts"
import type { FuzzProperties } from "./campaign/fuzz/fuzz-properties.ts"
import { replayOnce, runCampaign } from "./campaign/run-campaign.ts"
import { runWorld } from "./campaign/run-world.ts"
import type { SimTest } from "./campaign/sim-test-api.ts"
import { makeSimTest } from "./campaign/sim-test-forms.ts"
import type { SimWorld } from "./campaign/sim-world.ts"
import type { WorldOptions } from "./campaign/world-options.ts"
import { plainContext } from "./explore/program.ts"
import type { FaultServer, FaultServerOptions } from "./faults/fault-server-api.ts"
import { startFaults } from "./faults/start-fault-server.ts"
import type { MockInferenceServer, ServerOptions, ServerPreset } from "./inference/server-api.ts"
import { startServer } from "./inference/start-server.ts"
import type { Choice } from "./kernel/choice.ts"
import { forkedChoice } from "./kernel/choice-forked.ts"
import { calmChoice } from "./kernel/choice-sources.ts"
import { makeVirtualClock, type VirtualClock } from "./kernel/virtual-clock.ts"
import { liveClock } from "./live/clock.ts"
import { whileFenced } from "./sim/fence.ts"
import { makeVirtualHttp, type VirtualHttp } from "./sim/virtual-http.ts"
import { makeLifetime } from "./supervisor/lifetime.ts"

/**
 * A server in virtual time: the code that runs live, on an in-memory network and a clock that moves when told to.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface VirtualServer {
  readonly server: MockInferenceServer
  readonly clock: VirtualClock
  readonly http: VirtualHttp
}

/**
 * Starts a server in virtual time. Clients are made with `http.connect()`; nothing happens before `clock.settle()` (what is
 * due now) or `clock.advance(ms)`. Closing needs time too: `const closing = server.close(); clock.settle(); await closing`
 * (`clock.advance(1_000)` when an answer is in progress). `choice` picks among events that are due together; without it the oldest goes first.
 * Several servers can share a clock.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const startVirtualServer = (
  options: Omit<ServerOptions, "clock"> &
    ServerPreset & { readonly choice?: Choice; readonly clock?: VirtualClock } = {}
): VirtualServer => {
  const { choice, clock = makeVirtualClock(choice), ...serverOptions } = options
  const http = makeVirtualHttp(clock)
  let server: MockInferenceServer | null = null
  const advance = async (ms: number): Promise<void> => clock.advance(ms)
  startServer({ clock, http, advance, lifetime: makeLifetime(Effect.runSync) }, serverOptions, {
    started: (started) => {
      server = started
    },
    failed: (error) => {
      throw error
    }
  })
  clock.settle()
  if (server === null) throw new Error("the virtual server did not start")
  return { server, clock, http }
}

/** A fault server in virtual time. */
export interface VirtualFaultServer {
  readonly server: FaultServer
  readonly clock: VirtualClock
  readonly http: VirtualHttp
}

/**
 * Starts a fault server in virtual time, as `startVirtualServer` starts the other one. Without `randomSeed` the seed is 0;
 * `faultChoice` answers `random` entries in its place.
 *
 * A bare `connection_refused` may stand anywhere in a script here: `http.connect()` throws once, which consumes it, and after
 * `clock.settle()` the port is open again. `connection_refused:300` refuses for 300 ms of the clock, here as on a real port, and
 * consumes no connect. Both begin when the exchange before them has its outcome.
 *
 * **Fails** with `InvalidOption`
 * **Source** fault-server.md, sections 9.2.6 and 9.6
 *
 * @since 0.1.0
 * @category constructors
 */
export const startVirtualFaultServer = (
  options: Omit<FaultServerOptions, "clock"> & {
    readonly choice?: Choice
    readonly faultChoice?: Choice
    readonly clock?: VirtualClock
  }
): VirtualFaultServer => {
  const { choice, faultChoice, clock = makeVirtualClock(choice), ...serverOptions } = options
  const net = makeVirtualHttp(clock)
  let server: FaultServer | null = null
  const http: VirtualHttp = {
    ...net,
    connect(connectOptions) {
      try {
        return net.connect(connectOptions)
      } catch (error) {
        const reason = server === null ? null : refusalOf(server)
        throw reason === null ? error : new Error(`connection refused: ${reason}`, { cause: error })
      }
    }
  }
  startFaults(
    {
      clock,
      http,
      advance: async (ms) => clock.advance(ms),
      lifetime: makeLifetime(Effect.runSync),
      anySeed: () => 0,
      countsConnects: true,
      ...(faultChoice === undefined ? {} : { choice: faultChoice })
    },
    serverOptions,
    {
      started: (started) => {
        server = started
      },
      failed: (error) => {
        throw error
      }
    }
  )
  clock.settle()
  if (server === null) throw new Error("the virtual fault server did not start")
  return { server, clock, http }
}

/**
 * Runs a program once in a simulated world: its timers, dates, chance, ids and network are those of the world, `sim.startServer()`
 * starts our server in it. Gives what the program returns.
 *
 * **Takes** `seed` for all that is left to chance; without one the run is calm: what was planned first happens first, nothing
 * is lost
 * **Fails** with what the program throws, `Deadlock` when nothing can happen any more, `Livelock`, `OracleViolated` when it
 * broke a law of `judge`, `EscapedFence`, `FenceRefused`
 *
 * @since 0.1.0
 * @category simulation
 */
export const withSim = async <A>(
  options: WorldOptions & { readonly seed?: number },
  body: (sim: SimWorld) => A | PromiseLike<A>
): Promise<A> => {
  const { seed, ...world } = options
  const { outcome } = await whileFenced(() =>
    runWorld(
      {
        ...world,
        choice: seed === undefined ? calmChoice : forkedChoice(seed),
        context: plainContext(seed ?? 0),
        runSync: Effect.runSync
      },
      body
    )
  )
  if (outcome.status === "failed") throw outcome.error
  return outcome.value
}

/**
 * Runs a program under many schedules and faults until one run fails; the failure is made small and told with a token.
 *
 * **Fails** with `SimFailed`, `GoalsMissed`, `NotDeterministic`
 *
 * @since 0.1.0
 * @category simulation
 */
export const explore = (options: CampaignOptions, body: SimProgram): Promise<Campaign> =>
  runCampaign(body, options, Effect.runSync)

/**
 * Makes a run again from the token of a failure, and fails as it failed.
 *
 * @since 0.1.0
 * @category simulation
 */
export const replay = (token: string, options: WorldOptions, body: SimProgram): Promise<void> =>
  replayOnce(body, { ...options, token }, Effect.runSync)

/**
 * Looks for a run in which a client breaks a promise: users talk through it to a model that fails now and then, use tools and
 * give turns up, in many schedules. `properties` says which promises count; all do by default.
 *
 * **Fails** with `SimFailed`; with `GoalsMissed` when no turn completed, with `NotDeterministic`, `InvalidOption`
 *
 * @since 0.1.0
 * @category fuzzing
 */
export const fuzz = async (
  client: FuzzClient,
  properties: FuzzProperties = {},
  options: FuzzOptions = {}
): Promise<Campaign> => {
  const program = fuzzProgram(client, properties, options)
  return runCampaign(program.run, program.options, Effect.runSync)
}

/**
 * A test, under Vitest, Jest or `node:test`, that runs its body under many schedules and faults. What failed is kept beside the
 * test and tried first the next time.
 *
 * @since 0.1.0
 * @category simulation
 */
export const simTest: SimTest = makeSimTest({ runSync: Effect.runSync, now: liveClock.now, env: process.env })

export type { Campaign, CampaignOptions, SimProgram } from "./campaign/campaign.ts"
export type { SimCall } from "./campaign/client-call.ts"
export { type FuzzOptions, type FuzzProgram, fuzzProgram } from "./campaign/fuzz/fuzz.ts"
export type { FuzzClient, FuzzSetup, FuzzTurn, MakeTurn } from "./campaign/fuzz/fuzz-client.ts"
export { TurnLost } from "./campaign/fuzz/fuzz-failures.ts"
export type { FuzzProperties } from "./campaign/fuzz/fuzz-properties.ts"
export type { FuzzFault, FuzzWorkload } from "./campaign/fuzz/fuzz-workload.ts"
export type { JudgeOptions } from "./campaign/judge.ts"
export { SimFailed } from "./campaign/sim-failed.ts"
export type { SimTest } from "./campaign/sim-test-api.ts"
export type { SimTestOptions } from "./campaign/sim-test-options.ts"
export type { HttpServerLike, ServedOver, ServeOptions, SimWorld } from "./campaign/sim-world.ts"
export type { WorldOptions } from "./campaign/world-options.ts"
export { GoalsMissed } from "./explore/goals.ts"
export { NotDeterministic } from "./explore/not-deterministic.ts"
export { InvalidToken } from "./explore/replay-token.ts"
export type { StrategyName } from "./explore/strategies.ts"

/** Why a port refuses and how it opens again; `null` when it is closed for good. */
const refusalOf = (server: FaultServer): string | null => {
  const turn = server.traceEvents().findLast((event) => event.type === "step" && event.chart === "listener")
  const state = turn?.type === "step" ? turn.state : ""
  if (state.startsWith("rebinding")) {
    return "the gap that refused it (connection_refused in the script, or server.refuse()) is over; clock.settle() lets the port open"
  }
  if (state !== "refusing") return null
  return (
    "the port refuses, by connection_refused in the script (each one without a time takes one connect, a timed one ends with " +
    "clock.advance(ms)) or by server.refuse() (until server.accept())"
  )
}

export type { Choice } from "./kernel/choice.ts"
export { calmChoice, type Draw, listedChoice, recordedChoice, seededChoice } from "./kernel/choice-sources.ts"
export { makeVirtualClock, type VirtualClock } from "./kernel/virtual-clock.ts"
export { type Contest, claimHistory } from "./oracles/claim-history.ts"
export type { AnyGoal, Goal } from "./oracles/goals.ts"
export type { Operation } from "./oracles/history.ts"
export { checkLinearizable, type Linearization } from "./oracles/linearizability.ts"
export { type LinearizableOptions, linearizable } from "./oracles/linearizable.ts"
export type { Breach, Hot, Monitor, Oracle } from "./oracles/monitor.ts"
export type { RetryBudget } from "./oracles/retry-budget.ts"
export type { RunEvent, RunFact, SeenEvent } from "./oracles/run-event.ts"
export { runGoals } from "./oracles/run-goals.ts"
export { claimModel, queueModel, registerModel, type SequentialModel } from "./oracles/sequential-model.ts"
export { OracleViolated, type Violation } from "./oracles/violation.ts"
export { Deadlock, EscapedFence, FenceRefused, ForeignRun, Livelock, RealWorkStuck } from "./sim/fence-errors.ts"
export type { LinkFaults, LinkOptions } from "./sim/link-conditions.ts"
export type { Sim, SimNetworkOptions, SimOptions } from "./sim/sim.ts"
export type {
  ConnectOptions,
  VirtualConnection,
  VirtualPiece,
  VirtualRequest,
  VirtualResponse
} from "./sim/virtual-http.ts"
