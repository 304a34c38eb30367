import { writeSync } from "node:fs"
import { Effect } from "effect"
import { makeAskedRun } from "./campaign/asked-run.ts"
import type { Campaign, CampaignOptions, ExploreWorldOptions, SimProgram } from "./campaign/campaign.ts"
import { checkedSource } from "./campaign/choice-data.ts"
import type { ExploreModuleOptions, ModuleCampaign } from "./campaign/explore-module-options.ts"
import { type FuzzOptions, fuzzProgram } from "./campaign/fuzz/fuzz.ts"
import type { FuzzClient } from "./campaign/fuzz/fuzz-client.ts"
import type { FuzzProperties } from "./campaign/fuzz/fuzz-properties.ts"
import { makeOpenSearches } from "./campaign/open-searches.ts"
import { checkRun } from "./campaign/option-tables.ts"
import { makeReplayTaker } from "./campaign/replay-taker.ts"
import { replayOnce, runCampaign } from "./campaign/run-campaign.ts"
import { runWorld } from "./campaign/run-world.ts"
import type { SimTest } from "./campaign/sim-test-api.ts"
import { makeSimTest } from "./campaign/sim-test-forms.ts"
import type { SimWorld } from "./campaign/sim-world.ts"
import { keptTraces, testHere } from "./campaign/traced-test.ts"
import type {
  VirtualFaultServer,
  VirtualFaultServerOptions,
  VirtualServer,
  VirtualServerOptions
} from "./campaign/virtual-server-api.ts"
import { virtualFaultServer, virtualServer } from "./campaign/virtual-servers.ts"
import type { RunChoices, WorldOptions } from "./campaign/world-options.ts"
import { plainContext } from "./explore/program.ts"
import { forkedChoice } from "./kernel/choice-forked.ts"
import { calmChoice } from "./kernel/choice-sources.ts"
import { atEnd } from "./live/at-end.ts"
import { liveClock } from "./live/clock.ts"
import { isFirstOfRun } from "./live/said-once.ts"
import { whileFenced } from "./sim/fence.ts"

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
export const startVirtualServer = (options: VirtualServerOptions = {}): VirtualServer =>
  virtualServer(options, Effect.runSync)

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
export const startVirtualFaultServer = (options: VirtualFaultServerOptions): VirtualFaultServer =>
  virtualFaultServer(options, Effect.runSync)

/**
 * Runs a program once in a simulated world: its timers, dates, chance, ids and network are those of the world, `sim.startServer()`
 * starts our server in it. Gives what the program returns.
 *
 * **Takes** `seed` for all that is left to chance, or `choice`, a source of choices or choices as data; without either the run is
 * calm: what was planned first happens first, nothing is lost
 * **Fails** with `InvalidOption`, also when the source answers what is not possible, with what the program throws, `Deadlock` when
 * nothing can happen any more, `Livelock`, `OracleViolated` when it broke a law of `judge`, `EscapedFence`, `FenceRefused`
 *
 * @since 0.1.0
 * @category simulation
 */
export const withSim = async <A>(
  options: WorldOptions & RunChoices,
  body: (sim: SimWorld) => A | PromiseLike<A>
): Promise<A> => {
  checkRun("withSim", options, body)
  const { seed, choice, ...world } = options
  const plain = seed === undefined ? calmChoice : forkedChoice(seed)
  const source = choice === undefined ? null : checkedSource(choice)
  const { outcome } = await whileFenced(() =>
    runWorld(
      {
        ...world,
        choice: source?.choice ?? plain,
        context: plainContext(seed ?? 0),
        runSync: Effect.runSync
      },
      body
    )
  )
  const problem = source?.problem() ?? null
  if (problem !== null) throw problem
  if (outcome.status === "failed") throw outcome.error
  return outcome.value
}

/**
 * Runs a program under many schedules and faults until one run fails; the failure is made small and told with a token.
 *
 * **Fails** with `SimFailed`, `GoalsMissed`, `NotDeterministic`, `InvalidOption`
 *
 * @since 0.1.0
 * @category simulation
 */
export const explore = async (options: ExploreWorldOptions, body: SimProgram): Promise<Campaign> => {
  checkRun("explore", options, body)
  const { trace, ...campaign } = options
  return searches.during("explore", explore, () => search(body, campaign, trace))
}

/** A search that nobody waits for would pass unseen. The line is written at once: nothing comes after the end. */
const searches = makeOpenSearches((line) => writeSync(2, `${line}\n`), atEnd)

/**
 * Searches the programs of a module, as `npx llm-understudy explore` does, in threads that share the runs: a program is an object
 * with a function `run`, exported by name or as default, `export default { name, options, run: async (sim) => { ... } }`. Run
 * number k has the same seed whatever the number of threads, and of several failures the one with the lowest number counts. The
 * strategies `random` and `swarm` so find the same with any number; the others learn, each thread from its own runs. The first
 * program that fails ends the search. What failed is kept beside the module and tried first the next time.
 *
 * The threads are of plain Node: they load what Node loads (TypeScript from 22.18 on, else see `execArgv`), without what a test
 * runner makes of modules. They are ended however the search ends.
 *
 * **Takes** the path of the module, from the current folder, or the URL of a file: `new URL("./race.mjs", import.meta.url)`
 * **Gives** what each program came to, in the order of the names of their exports
 * **Fails** with `SimFailed`, whose `cause` is a copy of what was thrown, `GoalsMissed`, `NotDeterministic`, `ModuleRefused`,
 * `ThreadLost` when a thread ended by itself, `RunStuck`, `InvalidOption`, `InvalidToken`, and the reason of `signal`
 *
 * @since 0.1.0
 * @category simulation
 */
export const exploreModule = async (
  module: string | URL,
  options: ExploreModuleOptions = {}
): Promise<ReadonlyArray<ModuleCampaign>> =>
  searches.during("exploreModule", exploreModule, async () => {
    const [{ exploreModuleIn }, { openThread }] = await Promise.all([
      import("./campaign/explore-module.ts"),
      import("./campaign/sim-thread.ts")
    ])
    const say = (line: string): void => void process.stderr.write(`${line}\n`)
    return exploreModuleIn(module, options, { open: openThread, now: liveClock.now, env: process.env, say })
  })

/** The run that `SIM_REPLAY` asks for comes first; when it passes, or is one of another program, the search goes on. */
const search = async (body: SimProgram, options: CampaignOptions, trace?: string | false): Promise<Campaign> => {
  const parts = { traces: tracesAt(trace), env: process.env }
  await makeAskedRun(body, options, Effect.runSync, parts)
  return runCampaign(body, options, Effect.runSync, parts)
}

/**
 * Makes a run again from the token of a failure, and fails as it failed. It passes when the run passes and made the choices of the
 * token: then the failure is mended.
 *
 * **Takes** the options that the run was found with
 * **Fails** with `SimFailed`, `InvalidToken`, `InvalidOption`; with `RunDiverged` when the run passes but could not make the
 * choices of the token, so that it shows nothing
 *
 * @since 0.1.0
 * @category simulation
 */
export const replay = async (token: string, options: ExploreWorldOptions, body: SimProgram): Promise<void> => {
  checkRun("replay", options, body)
  const { trace, ...campaign } = options
  await replayOnce(body, { ...campaign, token }, Effect.runSync, { traces: tracesAt(trace) })
}

const tracesAt = (trace: string | false | undefined) => {
  const { env } = process
  return keptTraces(trace, { test: testHere({ test: "", file: null, env }), env, beside: null })
}

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
  return searches.during("fuzz", fuzz, () => search(program.run, program.options))
}

/**
 * A test, under Vitest, Jest or `node:test`, that runs its body under many schedules and faults. What failed is kept beside the
 * test and tried first the next time.
 *
 * @since 0.1.0
 * @category simulation
 */
export const simTest: SimTest = makeSimTest({
  runSync: Effect.runSync,
  now: liveClock.now,
  env: process.env,
  say: (text) => console.warn(text),
  replays: makeReplayTaker(
    (text) => process.stderr.write(`${text}\n`),
    // Vitest ends the processes of its tests from outside.
    process.env["VITEST"] === undefined ? (work) => void process.once("exit", work) : null,
    () => isFirstOfRun(`SIM_REPLAY ${process.env["SIM_REPLAY"]}`, process.env)
  )
})

export type { Campaign, CampaignOptions, ExploreWorldOptions, SimProgram } from "./campaign/campaign.ts"
export type { ChoiceData } from "./campaign/choice-data.ts"
export type { SimCall } from "./campaign/client-call.ts"
export type { ExploreModuleOptions, ModuleCampaign } from "./campaign/explore-module-options.ts"
export { type FuzzOptions, type FuzzProgram, fuzzProgram } from "./campaign/fuzz/fuzz.ts"
export type { FuzzClient, FuzzSetup, FuzzTurn, MakeTurn } from "./campaign/fuzz/fuzz-client.ts"
export { TurnLost } from "./campaign/fuzz/fuzz-failures.ts"
export type { FuzzProperties } from "./campaign/fuzz/fuzz-properties.ts"
export type { FuzzFault, FuzzWorkload } from "./campaign/fuzz/fuzz-workload.ts"
export type { JudgeOptions } from "./campaign/judge.ts"
export { ModuleRefused } from "./campaign/module-refused.ts"
export { RunStuck } from "./campaign/run-stuck.ts"
export { SimFailed } from "./campaign/sim-failed.ts"
export { type SimFakeAgentOptions, simFakeAgent } from "./campaign/sim-fake-agent.ts"
export type { SimTest } from "./campaign/sim-test-api.ts"
export type { SimTestOptions } from "./campaign/sim-test-options.ts"
export type { HttpServerLike, ServedOver, ServeOptions, SimWorld } from "./campaign/sim-world.ts"
export { CampaignTimedOut } from "./campaign/test-time.ts"
export { ThreadLost } from "./campaign/thread-errors.ts"
export type { VirtualFaultServer, VirtualServer } from "./campaign/virtual-server-api.ts"
export type { RunChoices, WorldOptions } from "./campaign/world-options.ts"
export { InvalidOption } from "./domain/errors.ts"
export { GoalsMissed } from "./explore/goals.ts"
export { NotDeterministic } from "./explore/not-deterministic.ts"
export { InvalidToken } from "./explore/replay-token.ts"
export { RunDiverged } from "./explore/run-diverged.ts"
export type { StrategyName } from "./explore/strategies.ts"
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
export { installFence, restoreFence } from "./sim/fence.ts"
export {
  AwaitMissing,
  Deadlock,
  EscapedFence,
  FenceRefused,
  ForeignRun,
  Livelock,
  RealWorkStuck
} from "./sim/fence-errors.ts"
export { type Allowance, trackRealWork } from "./sim/fence-run.ts"
export type { HeldKind } from "./sim/held-things.ts"
export type { LinkFaults, LinkOptions } from "./sim/link-conditions.ts"
export type { Sim, SimNetworkOptions, SimOptions } from "./sim/sim.ts"
export type { SimPairOptions, SimPairs, SimSocketPair } from "./sim/transport-pairs.ts"
export type { SimChild, SimInside, SimProcess } from "./sim/transport-process.ts"
export type {
  ConnectOptions,
  VirtualConnection,
  VirtualPiece,
  VirtualRequest,
  VirtualResponse
} from "./sim/virtual-http.ts"
