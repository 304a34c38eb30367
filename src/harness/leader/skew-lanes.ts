import { AgentError, RequestTimeout, WaitTimeout } from "../../domain/harness-errors.ts"
import { LeaderGone, ResourceLeak } from "../../domain/harness-scope-errors.ts"
import { connectLeader } from "../leader-ipc/connect-leader.ts"
import type { LeaderClient } from "./leader-client.ts"
import { scaledPolling, waitForPidDeath } from "./leader-home.ts"
import type { LeaderWorld } from "./leader-world.ts"
import { pollUntil } from "./poll.ts"
import type { LaneOutcome, SkewLane, SkewLaneName } from "./skew-lane.ts"
import { type LaneRun, runLane } from "./skew-sides.ts"
import { waitForReplay } from "./wait-for-replay.ts"

const newLeaderMs = 60_000
const oldLeaderMs = 30_000
const replayMs = 60_000
const logMs = 10_000
/** So long an answer is waited for that may never come. */
const probeMs = 2_000
const newestVersion = "999.0.0"

/**
 * A client that is newer than the leader replaces it, and clients of the old edition go on under the new leader.
 *
 * **Takes** a leader that is older than the client
 * **Fails** with `WaitTimeout` for what did not happen in time, and with what the agent fails with
 * **Source** agent-harness.md, section 5.6, lane 1
 *
 * @since 0.1.0
 * @category running
 */
export const newClientEvictsOldLeader = (world: LeaderWorld, lane: SkewLane): Promise<LaneOutcome> =>
  runLane(world, lane, async (run) => {
    const { leaders } = await evict(run)
    return { kind: "passed", leaders }
  })

/**
 * A client that is older than the leader leaves it alone, and works with it; the leader says that their versions differ.
 *
 * **Takes** a leader that is newer than the client
 * **Fails** with `LeaderGone` when the leader was replaced, with `WaitTimeout`, and with what the agent fails with
 * **Source** agent-harness.md, section 5.6, lane 2
 *
 * @since 0.1.0
 * @category running
 */
export const oldClientAdoptsNewLeader = (world: LeaderWorld, lane: SkewLane): Promise<LaneOutcome> =>
  runLane(world, lane, async ({ fixture, client }) => {
    const leader = fixture.leaderPid() ?? 0
    const old = await client("client")
    const pid = await fixture.home.readLeaderPid()
    if (pid !== leader)
      throw new LeaderGone(`the leader ${leader} was replaced: its lock file holds ${pid ?? "no number"} now`)
    await prompted(old, await newSession(old, fixture.sandbox.paths.workspace))
    const polling = scaledPolling(world, "oldClientAdoptsNewLeader", logMs)
    const said = await pollUntil(world.clock, polling, async () =>
      (await fixture.home.leaderLog()).includes("Version mismatch") ? true : null
    )
    if (said === null) throw new WaitTimeout("Version mismatch in the log of the leader", { ms: polling.timeoutMs })
    return { kind: "passed", leaders: [leader] }
  })

/**
 * A leader that is told of a newer version makes room for it. Skipped when the leader does not say that it can.
 *
 * **Fails** with `WaitTimeout`, and with what `connectLeader` and `relaunchForUpdate` fail with
 * **Source** agent-harness.md, section 5.6, lane 3
 *
 * @since 0.1.0
 * @category running
 */
export const leaderRelaunches = (world: LeaderWorld, lane: SkewLane): Promise<LaneOutcome> =>
  runLane(world, lane, async ({ fixture, client }) => {
    const leader = fixture.leaderPid() ?? 0
    // Somebody has to be there who needs a leader.
    const old = await client("leader")
    const session = await newSession(old, fixture.sandbox.paths.workspace)
    await using connection = await connectLeader(world, fixture.socketPath)
    if (!connection.can("relaunch_v1")) return { kind: "skipped", reason: "SKIP: the leader does not say relaunch_v1" }
    const answer = await connection.relaunchForUpdate(newestVersion).catch((error: unknown) => {
      if (connection.disconnectReason() === null) throw error
      return null
    })
    if (answer?.kind === "declined")
      throw new LeaderGone(`the leader ${leader} stays: it declined to relaunch, because ${answer.reason}`)
    await died(world, leader)
    const next = await fixture.waitForNewLeader(leader, { timeoutMs: newLeaderMs })
    await reached(world, old)
    await prompted(old, session)
    return { kind: "passed", leaders: [leader, next] }
  })

/**
 * When a leader was replaced there is one leader: one that runs, the one that answers at the socket, and nobody rewrites what it
 * knows of its user.
 *
 * **Takes** a leader that is older than the client
 * **Fails** with `ResourceLeak` when there are others, with `LeaderGone` when another one answers, with `WaitTimeout`
 * **Source** agent-harness.md, section 5.6, lane 4
 *
 * @since 0.1.0
 * @category running
 */
export const oneLeaderIsLeft = (world: LeaderWorld, lane: SkewLane): Promise<LaneOutcome> =>
  runLane(world, lane, async (run) => {
    const { fixture } = run
    const watch = fixture.watch()
    const { leaders, clients, sessions } = await evict(run)
    const auth = await readAuth(run)
    for (const [at, client] of clients.entries()) await prompted(client, sessions[at] ?? "")
    const seen = [...new Set([...leaders, ...watch.seen()])]
    const alive = seen.filter((pid) => world.host.pidAlive(pid))
    const lock = await fixture.home.readLeaderPid()
    if (alive.length !== 1) throw new ResourceLeak(alive.map((pid) => `leader ${pid}, one of ${alive.length}`))
    const answering = await leaderAt(run)
    for (const pid of [lock, answering])
      if (pid !== alive[0]) throw new LeaderGone(`the leader ${alive[0]} runs, and ${pid ?? "nobody"} is said to lead`)
    if ((await readAuth(run)) !== auth)
      throw new ResourceLeak([`somebody who has rewritten ${fixture.home.paths.auth} after the leader was replaced`])
    return { kind: "passed", leaders: seen }
  })

/**
 * All lanes by name.
 *
 * @since 0.1.0
 * @category running
 */
export const skewLanes: Readonly<Record<SkewLaneName, (world: LeaderWorld, lane: SkewLane) => Promise<LaneOutcome>>> = {
  "new client evicts old leader": newClientEvictsOldLeader,
  "old client adopts new leader": oldClientAdoptsNewLeader,
  "leader relaunches": leaderRelaunches,
  "one leader is left": oneLeaderIsLeft
}

interface Eviction {
  readonly leaders: ReadonlyArray<number>
  /** Of the old edition and of the new one, each with a session that was prompted. */
  readonly clients: ReadonlyArray<LeaderClient>
  readonly sessions: ReadonlyArray<string>
}

const evict = async ({ world, fixture, client }: LaneRun): Promise<Eviction> => {
  const { workspace } = fixture.sandbox.paths
  const leader = fixture.leaderPid() ?? 0
  const old = await client("leader")
  const oldSession = await newSession(old, workspace)
  await prompted(old, oldSession)
  const [baseline, since] = [old.notificationCount(), old.reconnectedCount()]
  const fresh = await client("client")
  const next = await fixture.waitForNewLeader(leader, { timeoutMs: newLeaderMs })
  await died(world, leader)
  if (!(await waitForReplay(world, old, { baseline, since, timeoutMs: replayMs }))) throw notFound(world, old)
  await reached(world, old)
  await prompted(old, oldSession)
  const freshSession = await newSession(fresh, workspace)
  await prompted(fresh, freshSession)
  return { leaders: [leader, next], clients: [old, fresh], sessions: [oldSession, freshSession] }
}

/**
 * Waits until a client is answered by its leader, if only with an error. What it was asked before it knew that its leader is gone is
 * answered by nobody, and a client may have followed more than one.
 */
const reached = async (world: LeaderWorld, client: LeaderClient): Promise<void> => {
  const polling = scaledPolling(world, "reached", replayMs)
  const answered = await pollUntil(world.clock, polling, () =>
    client.listSessions({}, { deadlineMs: probeMs }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof RequestTimeout) return null
        if (error instanceof AgentError) return true
        throw error
      }
    )
  )
  if (answered === null) throw notFound(world, client)
}

const notFound = (world: LeaderWorld, client: LeaderClient): WaitTimeout =>
  new WaitTimeout("the old client to find the new leader", {
    ms: replayMs * world.timeoutScale(),
    diagnostics: client.processDiagnostics()
  })

const newSession = async (client: LeaderClient, cwd: string): Promise<string> =>
  (await client.createSession(cwd)).sessionId

const prompted = async (client: LeaderClient, sessionId: string): Promise<void> => {
  const reply = await client.prompt(sessionId, "hello", { deadlineMs: replayMs })
  if (!reply.ok) throw reply.error
}

const died = async (world: LeaderWorld, pid: number): Promise<void> => {
  if (await waitForPidDeath(world, pid, oldLeaderMs)) return
  throw new WaitTimeout(`the end of the leader ${pid}`, { ms: oldLeaderMs * world.timeoutScale() })
}

/** Who answers at the socket; who the lock file names where the leader takes no commands. */
const leaderAt = async ({ world, fixture }: LaneRun): Promise<number | null> => {
  await using connection = await connectLeader(world, fixture.socketPath)
  return connection.can("control_v1") ? (await connection.getLeaderInfo()).pid : fixture.home.readLeaderPid()
}

/** What the leader knows of its user; `null` when there is no such file. */
const readAuth = ({ world, fixture }: LaneRun): Promise<string | null> =>
  world.sandboxes.files.readText(fixture.home.paths.auth).catch(() => null)
