import { type LeaderFixtureEvent, leaderFixtureMachine } from "../../../machines/leader-fixture.machine.ts"
import { InvalidOption } from "../../domain/errors.ts"
import type { ExitStatus } from "../../domain/exit-status.ts"
import { LeaderClientsActive } from "../../domain/harness-scope-errors.ts"
import { acceptsConnection } from "../../ports/stream-port.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { type Actor, actorKind } from "../../supervisor/supervisor.ts"
import type { OwnedProcess } from "../process/owned-process.ts"
import type { ProcessOptions } from "../process/process-options.ts"
import type { LeaderHome } from "./leader-files.ts"
import type { LeaderWatch } from "./leader-generation.ts"
import type { LeaderWorld } from "./leader-world.ts"

/** Somebody who waits for the end of a fixture, or of its leader. */
interface Waiter {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** What the performers of a fixture work with. */
export interface FixtureData {
  readonly world: LeaderWorld
  readonly home: LeaderHome
  readonly options: ProcessOptions & { readonly label: string }
  /** `null` until it has started. */
  process: OwnedProcess | null
  /** Its number as long as it is ours, also when it has ended. */
  pid: number | null
  /** The number that it started with. */
  startedPid: number | null
  /** The start, whatever came of it. */
  spawning: Promise<void>
  /** Starts of the leader and of its clients, whose descendants are swept in the end. */
  readonly spawnIds: Array<number>
  /** Why nothing was started. */
  spawnFailure: unknown
  /** What went wrong when it was stopped. */
  stopFailure: Error | null
  /** What it had written to its log when it was stopped. */
  logText: string
  endLook: () => void
  readonly closes: Array<Waiter>
  readonly reaps: Array<Waiter>
  readonly watches: Array<LeaderWatch>
  /** Whoever started it is told one of the two; a second one is not heard. */
  readonly told: { readonly ready: () => void; readonly failed: () => void }
}

export type FixtureActor = Actor<typeof leaderFixtureMachine, FixtureData>

/** The chart of a leader fixture and what performs its actions. @since 0.1.0 @category leaders */
export const fixtureKind = actorKind<typeof leaderFixtureMachine, FixtureData>(
  compileChart(leaderFixtureMachine),
  {
    spawn: (_, fixture) => spawnLeader(fixture),
    look: (_, fixture) => look(fixture),
    endLook: (_, { data }) => data.endLook(),
    tellReady: (_, { data }) => data.told.ready(),
    kill: (_, { data }) => data.process?.startKill(),
    reap: (_, fixture) => void settle(fixture, endOf(fixture), { done: "reap.done", failed: "reap.failed" }),
    tellReaped(_, { data }) {
      data.pid = null
      for (const { resolve } of data.reaps.splice(0)) resolve()
    },
    refuseReap(_, { data }) {
      const error = new InvalidOption(`${data.options.label} runs; kill it before it is reaped, or close the fixture`)
      for (const { reject } of data.reaps.splice(0)) reject(error)
    },
    refuseClose(_, { data, snapshot }) {
      const count = snapshot.context.registrations
      const clients = count === 1 ? "1 client of it is" : `${count} clients of it are`
      const message = `${data.options.label} cannot be closed while ${clients} active; close/drop clients first`
      for (const { reject } of data.closes.splice(0)) reject(new LeaderClientsActive(message, { count }))
    },
    tellStuck(_, { data }) {
      const error = data.stopFailure ?? new Error(`${data.options.label} could not be ended`)
      for (const { reject } of [...data.reaps.splice(0), ...data.closes.splice(0)]) reject(error)
    },
    stop(_, fixture) {
      void settle(fixture, stop(fixture), { done: "stop.done", failed: "stop.failed" })
    },
    sweep(_, fixture) {
      const { world, spawnIds } = fixture.data
      const found = world.host.strays(spawnIds)
      world.supervisor.deliver(fixture, found.length === 0 ? { type: "sweep.empty" } : { type: "sweep.found", found })
    },
    killStrays({ found }, { data }) {
      for (const stray of found) data.world.host.killStray(stray)
    },
    // The guard of its group stays: when we end, it is killed once more.
    contain(_, { data }) {
      data.process?.startKill()
      tellOver(data)
      data.told.failed()
    },
    tellClosed: (_, { data }) => tellOver(data),
    tellFailed(_, { data }) {
      tellOver(data)
      data.told.failed()
    }
  },
  { isGuard: true }
)

const spawnLeader = (fixture: FixtureActor): void => {
  const { data } = fixture
  const { supervisor, host } = data.world
  const deliver = (event: LeaderFixtureEvent): void => {
    if (fixture.snapshot.status === "active") supervisor.deliver(fixture, event)
  }
  data.spawning = host.spawn(data.options).then(
    (process) => {
      data.process = process
      data.pid = process.pid ?? null
      data.startedPid = data.pid
      data.spawnIds.push(process.spawnId)
      // Contained before it was there.
      if (fixture.snapshot.status !== "active") process.startKill()
      deliver({ type: "spawned" })
      process.waitForExit().then((status: ExitStatus) => deliver({ type: "leader.exited", status }))
    },
    (error: unknown) => {
      data.spawnFailure = error
      deliver({ type: "spawn.failed" })
    }
  )
}

/** Whether it serves: its socket is there, it runs, and somebody who connects is accepted. */
const look = (fixture: FixtureActor): void => {
  const { data } = fixture
  const { world, home, pid } = data
  let isGivenUp = false
  let giveUp = (): void => {}
  const answer = (isServing: boolean): void => {
    if (!isGivenUp) world.supervisor.deliver(fixture, { type: isServing ? "look.found" : "look.failed" })
  }
  data.endLook = () => {
    isGivenUp = true
    giveUp()
  }
  const connect = (isThere: boolean): void => {
    if (isGivenUp) return
    if (isThere && pid !== null && world.host.pidAlive(pid))
      giveUp = acceptsConnection(world.streams, { kind: "unix", path: home.paths.socket }, answer)
    else answer(false)
  }
  world.sandboxes.files.stat(home.paths.socket).then(
    (stat) => connect(stat !== null),
    () => connect(false)
  )
}

/** The end of a leader that was killed, or has ended. */
const endOf = async ({ data }: FixtureActor): Promise<void> => void (await data.process?.kill())

const stop = async ({ data }: FixtureActor): Promise<void> => {
  await data.spawning
  try {
    await data.process?.close()
  } finally {
    data.logText = await data.home.leaderLog()
  }
}

const settle = async (
  fixture: FixtureActor,
  work: Promise<void>,
  answers: { readonly done: "reap.done" | "stop.done"; readonly failed: "reap.failed" | "stop.failed" }
): Promise<void> => {
  const { data } = fixture
  const type = await work.then(
    () => answers.done,
    (error: unknown) => {
      data.stopFailure = error instanceof Error ? error : new Error(String(error))
      return answers.failed
    }
  )
  if (fixture.snapshot.status === "active") data.world.supervisor.deliver(fixture, { type })
}

const tellOver = (data: FixtureData): void => {
  data.pid = null
  for (const watch of data.watches.splice(0)) watch.stop()
  for (const { resolve } of [...data.reaps.splice(0), ...data.closes.splice(0)]) resolve()
}
