import { startHarness, withLeader } from "llm-understudy/harness"
import { expect, test } from "vitest"

test("clients find a new leader when theirs is killed, and go on with their sessions", async (context) => {
  await using harness = await startHarness()
  context.skip(harness.detachedLeaderSkip() !== null)
  const leader = await harness.startLeader({ profile: "fixture", mock: await harness.startMock() })

  await withLeader(leader, async () => {
    const client = await leader.spawnClient()
    await client.initialize()
    const { sessionId } = await client.createSession(leader.sandbox.paths.workspace)
    const [baseline, old] = [client.notificationCount(), leader.killLeader()]
    await leader.reapLeader()

    expect(await leader.waitForNewLeader(old, { timeoutMs: 60_000 })).not.toBe(old)
    expect(await harness.waitForReplay(client, { baseline, timeoutMs: 60_000 })).toBe(true)
    expect(await client.prompt(sessionId, "still there?")).toMatchObject({ ok: true })
  })
})
