import { WaitTimeout } from "../../domain/harness-errors.ts"
import { LeaderGone, ResourceLeak } from "../../domain/harness-scope-errors.ts"
import { leaderPollMs } from "../../domain/leader-limits.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { FixtureActor } from "./leader-actor.ts"
import { type LeaderBinary, leaderBinary } from "./leader-binary.ts"
import type { LeaderClient, LeaderClientStart } from "./leader-client.ts"
import type { LeaderFixture } from "./leader-fixture.ts"
import { scaledPolling } from "./leader-home.ts"
import { pollUntil } from "./poll.ts"
import { startLeaderClient } from "./start-leader-client.ts"
import { watchLeaders } from "./watch-leaders.ts"

/** What a fixture has besides its leader. */
export interface FixtureParts {
  readonly sandbox: Sandbox
  readonly binary: LeaderBinary
  readonly baseUrl: string | null
  /** Whether the sandbox is the fixture's, which closes it in the end. */
  readonly isOwned: boolean
}

/** The handle of a leader that is ready. @since 0.1.0 @category constructors */
export const fixtureOf = (fixture: FixtureActor, parts: FixtureParts): LeaderFixture => {
  const { sandbox, binary, isOwned } = parts
  const { world, home, options } = fixture.data
  const open: Array<LeaderClient> = []
  const closeAfter = async (end: Promise<void>): Promise<void> => {
    await end
    if (isOwned) await sandbox.close()
    throwLeftovers(fixture)
  }
  return {
    sandbox,
    binary,
    socketPath: home.paths.socket,
    home,
    leaderPid: () => fixture.data.pid,
    lastObservedPid: () => fixture.snapshot.context.lastObservedPid,
    activeClients: () => fixture.snapshot.context.registrations,
    clients: () => [...open],
    spawnClient: (start = {}) => spawnClient(fixture, start, { ...parts, open }),
    async waitForNewLeader(oldPid, { timeoutMs }) {
      const polling = scaledPolling(world, "waitForNewLeader", timeoutMs, leaderPollMs)
      const pid = await pollUntil(world.clock, polling, async () => {
        const found = await home.readLeaderPid()
        return found !== null && found !== oldPid && world.host.pidAlive(found) ? found : null
      })
      if (pid === null) {
        const report = `no replacement leader appeared after pid ${oldPid}, in ${polling.timeoutMs} ms`
        throw new WaitTimeout("a replacement leader", { ms: polling.timeoutMs, report })
      }
      if (fixture.snapshot.status === "active") world.supervisor.deliver(fixture, { type: "leader.observed", pid })
      return pid
    },
    watch() {
      const watch = watchLeaders(world, home)
      if (fixture.snapshot.status === "active") fixture.data.watches.push(watch)
      else watch.stop()
      return watch
    },
    killLeader: () => killLeader(fixture),
    reapLeader: () =>
      new Promise((resolve, reject) => {
        if (fixture.snapshot.status !== "active") return resolve()
        fixture.data.reaps.push({ resolve, reject })
        world.supervisor.deliver(fixture, { type: "reap" })
      }),
    close: () => closeAfter(asked(fixture, "close")),
    contain() {
      if (fixture.snapshot.status === "active") world.supervisor.deliver(fixture, { type: "contain" })
    },
    diagnostics: () => fixture.data.process?.diagnostics() ?? `${options.label} was not started`,
    tell: world.sandboxes.tell,
    async [Symbol.asyncDispose]() {
      const failure = await failureOf(ended(fixture))
      const second = isOwned ? await failureOf(sandbox.close()) : null
      if (failure !== null || second !== null) throw failure ?? second
      throwLeftovers(fixture)
    }
  }
}

const failureOf = (work: Promise<void>): Promise<Error | null> =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
  )

const asked = (fixture: FixtureActor, type: "close" | "disposed"): Promise<void> =>
  new Promise((resolve, reject) => {
    if (fixture.snapshot.status !== "active") return resolve()
    fixture.data.closes.push({ resolve, reject })
    fixture.data.world.supervisor.deliver(fixture, { type })
  })

/** Ends a fixture whatever clients it has; nothing when it has ended. */
export const ended = (fixture: FixtureActor): Promise<void> => asked(fixture, "disposed")

const throwLeftovers = ({ data, snapshot }: FixtureActor): void => {
  const { leftovers } = snapshot.context
  if (leftovers.length === 0) return
  throw new ResourceLeak(leftovers.map(({ pid }) => `process that ${data.options.label} left behind, pid ${pid}`))
}

const killLeader = (fixture: FixtureActor): number => {
  const { data, snapshot } = fixture
  if (data.pid === null || !/^(ready|crashed|lost)$/.test(snapshot.state))
    throw new LeaderGone(`${data.options.label} is not owned any more; nothing was killed`)
  const { pid } = data
  data.world.supervisor.deliver(fixture, { type: "kill" })
  return pid
}

const spawnClient = async (
  fixture: FixtureActor,
  start: LeaderClientStart,
  { sandbox, baseUrl, open }: FixtureParts & { readonly open: Array<LeaderClient> }
): Promise<LeaderClient> => {
  const { world, home, options, spawnIds } = fixture.data
  const { supervisor } = world
  if (!/^(ready|crashed|lost|reaping|leaderless)$/.test(fixture.snapshot.state))
    throw new LeaderGone(`the fixture of ${options.label} is closed, and takes no client any more`)
  supervisor.deliver(fixture, { type: "client.registered" })
  const released = (): void => {
    if (fixture.snapshot.status === "active") supervisor.deliver(fixture, { type: "client.released" })
  }
  try {
    const binary = await leaderBinary(world.sandboxes, sandbox.profile, { role: "client", path: start.binary })
    const client = await startLeaderClient(world, start, {
      sandbox,
      binary,
      socketPath: home.paths.socket,
      baseUrl,
      started: ({ spawnId }) => spawnIds.push(spawnId),
      released() {
        open.splice(open.indexOf(client), 1)
        released()
      }
    })
    open.push(client)
    return client
  } catch (error) {
    released()
    throw error
  }
}
