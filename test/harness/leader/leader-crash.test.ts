import { describe, expect, it } from "vitest"
import { waitForReplay } from "../../../src/harness/leader/wait-for-replay.ts"
import { withLeader } from "../../../src/harness/leader/with-leader.ts"
import { startLive } from "../../support/live-world.ts"
import { clientOf, fixtureLeader, sessionOf } from "./fixture-leader.ts"

/* Leaders and clients of the profile `fixture` as processes; numbers are those of the scenarios of agent-harness.md, section 9. */

const { world, start } = fixtureLeader()

describe("clients of a leader that was killed", () => {
  it("find or start another one, and go on with their sessions (69)", async () => {
    const live = world()

    const pids = await withLeader(await start(live), async (fixture) => {
      const clients = [await clientOf(fixture), await clientOf(fixture)]
      const sessions = [await sessionOf(fixture, clients[0] ?? fail()), await sessionOf(fixture, clients[1] ?? fail())]
      expect(await Promise.all(sessions.map(({ ask }, n) => ask(`before ${n}`)))).toEqual([
        "Echo: before 0",
        "Echo: before 1"
      ])
      const baselines = clients.map((client) => client.notificationCount())

      const old = fixture.killLeader()
      const found = await fixture.waitForNewLeader(old, { timeoutMs: 60_000 })
      for (const [n, client] of clients.entries())
        expect(await waitForReplay(live, client, { baseline: baselines[n] ?? 0, timeoutMs: 60_000 })).toBe(true)
      const texts = [await sessions[0]?.ask("after 0"), await sessions[1]?.ask("after 1")]

      expect(texts).toEqual(["Echo: after 0", "Echo: after 1"])
      expect(clients.map((client) => client.reconnectedCount() >= 1)).toEqual([true, true])
      expect([fixture.leaderPid(), fixture.lastObservedPid()]).toEqual([old, found])
      await fixture.reapLeader()
      return [old, found]
    })

    expect(pids[0]).not.toBe(pids[1])
    expect(pids.map((pid) => live.host.pidAlive(pid))).toEqual([false, false])
    expect([live.host.alive(), live.host.strays([1, 2, 3])]).toEqual([[], []])
  })

  it("restore every session that they had, and answer what was asked while there was no leader (70)", async () => {
    const live = world()

    await withLeader(await start(live), async (fixture) => {
      const client = await clientOf(fixture)
      const sessions = [await sessionOf(fixture, client), await sessionOf(fixture, client)]
      for (const { ask } of sessions) await ask("before")
      await fixture.waitForNewLeader(fixture.killLeader(), { timeoutMs: 60_000 })
      // Somebody has started a leader, so the client knows that its own is gone; what it is asked now it keeps until it is back.
      const answers = await Promise.all(sessions.map(({ ask }, n) => ask(`meanwhile ${n}`)))

      expect(answers.map((text, n) => text.endsWith(`Echo: meanwhile ${n}`))).toEqual([true, true])
      expect(await Promise.all(sessions.map(({ ask }, n) => ask(`after ${n}`)))).toEqual([
        "Echo: after 0",
        "Echo: after 1"
      ])
      expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(2)
    })
  })

  it("can lose their leader again, and a second replay is told from the first", async () => {
    const live = world()

    await withLeader(await start(live), async (fixture) => {
      const client = await clientOf(fixture)
      const { ask } = await sessionOf(fixture, client)
      const first = await fixture.waitForNewLeader(fixture.killLeader(), { timeoutMs: 60_000 })
      expect(await waitForReplay(live, client, { baseline: client.notificationCount(), timeoutMs: 60_000 })).toBe(true)
      await ask("one")
      const since = client.reconnectedCount()
      const baseline = client.notificationCount()

      // Not ours to signal: the test does it, as anybody could.
      process.kill(first, "SIGKILL")

      expect(await waitForReplay(live, client, { baseline, since, timeoutMs: 60_000 })).toBe(true)
      expect(await ask("two")).toBe("Echo: two")
    })
  })
})

describe("a leader of the profile fixture", () => {
  // The bound of the scenario is that of the test.
  it("serves, and makes a session, when nobody answers at the address of the model (72)", {
    timeout: 25_000
  }, async () => {
    const live = world()

    await withLeader(await start(live, { baseUrl: "http://127.0.0.1:9/v1" }), async (fixture) => {
      const { sessionId } = await sessionOf(fixture, await clientOf(fixture, { baseUrl: "http://127.0.0.1:9/v1" }))
      expect(sessionId).not.toBe("")
    })
  })

  it("asks the mock that the fixture was started with", async () => {
    const { server } = await startLive()
    const live = world()

    await withLeader(await start(live, { mockUrl: server.url(), args: ["--via-mock"] }), async (fixture) => {
      const { ask } = await sessionOf(fixture, await clientOf(fixture))
      expect(await ask("say hello")).toBe("Echo: say hello")
    })
    expect(server.requests().length).toBe(1)
  })
})

const fail = (): never => {
  throw new Error("there are two")
}
