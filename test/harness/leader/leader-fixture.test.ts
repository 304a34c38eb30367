import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { LeaderClientsActive, LeaderGone, LeaderNotReady } from "../../../src/domain/harness-scope-errors.ts"
import { startLeader } from "../../../src/harness/leader/start-leader.ts"
import { makeSandbox } from "../../../src/harness/sandbox/sandbox.ts"
import { gone } from "../process-world.ts"
import { askLeader, descendantsOf, liveLeaderWorld, smallLeader, startSmallLeader } from "./live-leader.ts"

const caught = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => new Error("it did not fail"),
    (error) => error
  )

/** Processes of the run that are left. */
const left = (world: ReturnType<typeof liveLeaderWorld>) => world.host.alive().map(({ label }) => label)

describe("a leader fixture", () => {
  it("ends its leader when it closes, and the second close does nothing (63)", async () => {
    const world = liveLeaderWorld()
    const fixture = await startSmallLeader(world)
    const pid = fixture.leaderPid() ?? 0
    expect(await askLeader(fixture.socketPath)).toBe(pid)

    await fixture.close()
    await fixture.close()

    expect(world.host.pidAlive(pid)).toBe(false)
    expect(await caught(askLeader(fixture.socketPath))).toBeInstanceOf(Error)
    expect([fixture.leaderPid(), left(world), existsSync(fixture.sandbox.paths.root)]).toEqual([null, [], false])
  })

  it("refuses to close while it has a client, and leaves the leader alone (64)", async () => {
    const fixture = await startSmallLeader(liveLeaderWorld())
    const client = await fixture.spawnClient()

    const refusal = await caught(fixture.close())

    expect(refusal).toBeInstanceOf(LeaderClientsActive)
    expect(refusal).toMatchObject({ count: 1 })
    expect(refusal.message).toContain("1 client of it is active; close/drop clients first")
    expect(await askLeader(fixture.socketPath)).toBe(fixture.leaderPid())

    await client.close()
    await fixture.close()
    expect(fixture.activeClients()).toBe(0)
  })

  it("never touches a process whose number somebody wrote into the lock file (65)", async () => {
    const world = liveLeaderWorld()
    const stranger = await world.processes.sh("sleep 600")
    const fixture = await startSmallLeader(world)
    const pid = fixture.leaderPid() ?? 0
    writeFileSync(fixture.home.paths.lock, String(stranger.pid))
    expect(await fixture.waitForNewLeader(pid, { timeoutMs: 10_000 })).toBe(stranger.pid)

    await fixture[Symbol.asyncDispose]()

    expect([world.host.pidAlive(pid), stranger.status]).toEqual([false, undefined])
    expect(world.host.pidAlive(stranger.pid ?? 0)).toBe(true)
  })

  it.each(["--descendant", "--detached"])(
    "ends a descendant that ignores SIGTERM, started with %s (66)",
    async (how) => {
      const world = liveLeaderWorld()
      const fixture = await startSmallLeader(world, { args: [how] })
      const [descendant = 0] = descendantsOf(fixture)
      expect(world.host.pidAlive(descendant)).toBe(true)

      await fixture.close()

      await gone(world.host, descendant)
    }
  )

  it("says which leader did not come to serve which socket, and leaves nothing of it (67)", async () => {
    const world = liveLeaderWorld()

    const error = await caught(startLeader(world, { profile: smallLeader, args: ["--no-socket"], readyMs: 300 }))

    expect(error).toBeInstanceOf(LeaderNotReady)
    expect(error.message).toMatch(
      /^small leader, pid \d+, did not accept connections on .*\/home\/\.small\/leader\.sock within 300 ms; its log is empty/
    )
    expect(world.host.pidAlive(Number(/pid (\d+)/.exec(error.message)?.[1]))).toBe(false)
    expect(left(world)).toEqual([])
  })

  it("says at once that the leader has ended, with its exit code and the end of its log (67)", async () => {
    const world = liveLeaderWorld()

    // The time that it would have is longer than that of the test.
    const error = await caught(startLeader(world, { profile: smallLeader, args: ["--exit"], readyMs: 600_000 }))

    expect(error).toBeInstanceOf(LeaderNotReady)
    expect(error.message).toMatch(
      /ended with exit code 4 before it accepted .*the end of its log:\nthe config is broken/s
    )
  })

  it("takes a path that nobody serves for no leader", async () => {
    const world = liveLeaderWorld()
    const sandbox = await makeSandbox(world.sandboxes, { profile: smallLeader })
    writeFileSync(join(sandbox.paths.stateDir, "leader.sock"), "")

    const error = await caught(
      startLeader(world, { profile: smallLeader, sandbox, args: ["--no-socket"], readyMs: 300 })
    )

    expect(error).toBeInstanceOf(LeaderNotReady)
    await sandbox.close()
  })

  it("writes the log of its leader anew, and does without one where there can be none", async () => {
    const world = liveLeaderWorld()
    const sandbox = await makeSandbox(world.sandboxes, { profile: smallLeader })
    const log = join(sandbox.paths.stateDir, "leader.log")
    writeFileSync(log, "of another leader")
    const first = await startSmallLeader(world, { sandbox, args: ["--descendant"] })
    expect(await first.home.leaderLog()).toMatch(/^descendant \d+\n$/)
    await first.close()
    rmSync(log)
    mkdirSync(log)

    const second = await startSmallLeader(world, { sandbox, args: ["--descendant"] })

    expect([await askLeader(second.socketPath), await second.home.leaderLog()]).toEqual([second.leaderPid(), ""])
    await second.close()
    await sandbox.close()
  })

  it("kills the leader, gives it up when it is reaped, and closes behind that", async () => {
    const world = liveLeaderWorld()
    const fixture = await startSmallLeader(world, { args: ["--ignore-term"] })
    const pid = fixture.leaderPid()

    expect(fixture.killLeader()).toBe(pid)
    expect(fixture.killLeader()).toBe(pid)
    await fixture.reapLeader()
    await fixture.reapLeader()

    expect([fixture.leaderPid(), world.host.pidAlive(pid ?? 0)]).toEqual([null, false])
    expect(() => fixture.killLeader()).toThrow(LeaderGone)
    await fixture.close()
  })

  it("gives leader and clients the variables of the profile, and the socket, over their sandbox", async () => {
    const world = liveLeaderWorld()
    const fixture = await startSmallLeader(world, {
      args: ["--print-env"],
      baseUrl: "http://127.0.0.1:9/v1",
      env: { EXTRA: "1" }
    })
    const said = JSON.parse(readFileSync(fixture.home.paths.log, "utf8"))
    const client = await fixture.spawnClient({ args: ["more"] })
    await client.initialize()
    const { sessionId } = await client.createSession(fixture.sandbox.paths.workspace)
    await client.prompt(sessionId, "env")
    const ofClient = JSON.parse(client.capturedText())

    for (const env of [said.env, ofClient])
      expect(env).toMatchObject({
        FIXTURE_MOCK_URL: "http://127.0.0.1:9/v1",
        FIXTURE_API_KEY: "test-key-for-ci",
        SMALL_LEADER_SOCKET: fixture.socketPath,
        SMALL_LOG: "debug",
        HOME: fixture.sandbox.paths.home,
        GIT_EDITOR: "true"
      })
    expect([said.env.EXTRA, ofClient.EXTRA, said.env.OTHER_URL]).toEqual(["1", undefined, undefined])
    expect([said.args, said.cwd]).toEqual([
      ["leader", fixture.sandbox.paths.workspace, "--print-env"],
      fixture.sandbox.paths.workspace
    ])
    await client.prompt(sessionId, "args")
    expect(client.capturedText()).toContain('["agent","--leader","stdio","more"]')
    await client.close()
  })
})
