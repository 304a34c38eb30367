import { describe, expect, it } from "vitest"
import { makeLeaderStage, plainLeader } from "../../../properties/observation/leader-stage.ts"
import { KillTimeout, WaitTimeout } from "../../../src/domain/harness-errors.ts"
import { LeaderNotReady } from "../../../src/domain/harness-scope-errors.ts"
import { detachedLeaderSkip, type LeaderFixture } from "../../../src/harness/leader/leader-fixture.ts"
import { waitForPidDeath } from "../../../src/harness/leader/leader-home.ts"
import { waitForReplay } from "../../../src/harness/leader/wait-for-replay.ts"

type Stage = ReturnType<typeof makeLeaderStage>

/** The first look comes before a leader that serves at once does. */
const readyAt = 50

const started = async (stage: Stage): Promise<LeaderFixture> => {
  const start = stage.start()
  const { error } = await stage.settled(start)
  if (error !== undefined) throw error
  return start
}

const signals = ({ machine }: Stage) =>
  machine.signals.map(({ at, signal, isGroup }) => `${at} ${signal}${isGroup ? " to the group" : ""}`)

describe("in virtual time", () => {
  it("a leader is looked at every 50 ms until it serves", async () => {
    const stage = makeLeaderStage({ leader: { ...plainLeader, servesAfterMs: 120 } })

    expect(await stage.settled(stage.start())).toMatchObject({ at: 150 })
  })

  it("a leader has 30 seconds to serve, stretched, and is ended then", async () => {
    for (const timeoutScale of [1, 3]) {
      const stage = makeLeaderStage({ leader: { ...plainLeader, servesAfterMs: null } }, { timeoutScale })
      const { at, error } = await stage.settled(stage.start())

      expect(error).toBeInstanceOf(LeaderNotReady)
      expect(at).toBe(30_000 * timeoutScale)
      expect(String(error)).toContain(`within ${30_000 * timeoutScale} ms`)
      expect(stage.machine.ours()).toEqual([])
      expect(stage.files.paths().filter((path) => path.startsWith("/sandboxes/us-"))).toEqual([])
    }
  })

  it("the end of a leader that does not serve yet is told of at once (67)", async () => {
    const stage = makeLeaderStage({
      leader: { ...plainLeader, servesAfterMs: null, exitsAfterMs: 70, exitCode: 4 }
    })

    const { at, error } = await stage.settled(stage.start())

    expect(at).toBe(70)
    expect(String(error)).toContain("ended with exit code 4")
  })

  it("a leader is asked to end, killed after two seconds, and given up after two more", async () => {
    const stage = makeLeaderStage({ leader: { ...plainLeader, onTerminate: "ignore", killDelayMs: 10_000 } })
    const fixture = await started(stage)

    const { at, error } = await stage.settled(fixture.close())

    expect(error).toBeInstanceOf(KillTimeout)
    expect(at).toBe(readyAt + 4_000)
    expect(signals(stage)).toEqual(["50 SIGTERM to the group", "2050 SIGKILL to the group", "2050 SIGKILL"])
    await stage.pass(10_000)
    expect((await stage.settled(fixture.close())).error).toBe(undefined)
  })

  it("a leader that was killed is waited for two seconds, and stays ours when it is there still", async () => {
    const stage = makeLeaderStage({ leader: { ...plainLeader, killDelayMs: 5_000 } })
    const fixture = await started(stage)
    const pid = fixture.killLeader()

    const { at, error } = await stage.settled(fixture.reapLeader())

    expect([at, fixture.leaderPid()]).toEqual([readyAt + 2_000, pid])
    expect(error).toBeInstanceOf(KillTimeout)
    await stage.pass(5_000)
    expect((await stage.settled(fixture.reapLeader())).error).toBe(undefined)
    expect(fixture.leaderPid()).toBe(null)
  })

  it("a leader that runs is not reaped", async () => {
    const stage = makeLeaderStage({ leader: plainLeader })
    const fixture = await started(stage)

    expect(String((await stage.settled(fixture.reapLeader())).error)).toContain("kill it before it is reaped")
  })

  it("a fixture that cannot close is contained without waiting, and is over", async () => {
    const stage = makeLeaderStage({ leader: { ...plainLeader, killDelayMs: Number.POSITIVE_INFINITY } })
    const fixture = await started(stage)
    const group = fixture.leaderPid()

    fixture.contain()

    expect(signals(stage)).toEqual(["50 SIGKILL to the group", "50 SIGKILL"])
    expect(stage.machine.guarded()).toEqual([group])
  })

  it("says in vain for which leader another one was waited, after the time that was given", async () => {
    const stage = makeLeaderStage({ leader: plainLeader }, { timeoutScale: 2 })
    const fixture = await started(stage)
    const pid = fixture.leaderPid() ?? 0

    const { at, error } = await stage.settled(fixture.waitForNewLeader(pid, { timeoutMs: 330 }))

    expect(error).toBeInstanceOf(WaitTimeout)
    expect(String(error)).toContain(`no replacement leader appeared after pid ${pid}`)
    expect(at).toBe(readyAt + 660)
  })

  it("watches who leads, and counts leaders that come and go", async () => {
    const stage = makeLeaderStage({ leader: plainLeader })
    const fixture = await started(stage)
    const pid = fixture.leaderPid() ?? 0
    const watch = fixture.watch()
    await stage.pass(10)
    const before = [watch.pid(), watch.generation()]
    const stranger = await stage.world.host.spawn({ program: "/client", cwd: "/", environment: {} })
    fixture.killLeader()
    await stage.pass(100)
    const between = [watch.pid(), watch.generation()]

    stage.files.put(fixture.home.paths.lock, String(stranger.pid))
    await stage.pass(100)

    expect([before, between]).toEqual([
      [pid, 1],
      [null, 1]
    ])
    expect([watch.pid(), watch.generation(), watch.seen()]).toEqual([stranger.pid, 2, [pid, stranger.pid]])
    watch.stop()
    expect((await stage.settled(new Promise(() => {}))).at).toBeNaN()
  })

  it("looks every 100 ms for the death of a process, a leader that lives, and a replay", async () => {
    const stage = makeLeaderStage({ leader: plainLeader })
    const process = await stage.world.host.spawn({ program: "/client", cwd: "/", environment: {} })
    const client = { reconnected: 1, notifications: 4 }
    const counts = { reconnectedCount: () => client.reconnected, notificationCount: () => client.notifications }
    const replay = (since?: number) =>
      waitForReplay(stage.world, counts, { baseline: 4, timeoutMs: 250, ...(since === undefined ? {} : { since }) })

    expect(await stage.settled(waitForPidDeath(stage.world, process.pid ?? 0, 250))).toEqual({ at: 250, value: false })
    expect(await stage.settled(replay())).toEqual({ at: 250, value: true })
    expect(await stage.settled(replay(1))).toEqual({ at: 500, value: false })
    const second = replay(1)
    await stage.pass(120)
    client.reconnected = 2
    expect(await stage.settled(second)).toEqual({ at: 700, value: true })
    client.notifications = 5
    expect((await stage.settled(replay(2))).value).toBe(true)
    process.startKill()
    expect((await stage.settled(waitForPidDeath(stage.world, process.pid ?? 0, 250))).value).toBe(true)
  })

  it("says where detached leaders cannot be contained", () => {
    expect(detachedLeaderSkip(makeLeaderStage({ leader: plainLeader }).world)).toBe(null)
    expect(detachedLeaderSkip(makeLeaderStage({ leader: plainLeader }, { showsMarks: false }).world)).toBe(
      "detached leader cannot be contained here"
    )
  })
})
