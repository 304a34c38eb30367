import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { AgentClosed } from "../../src/domain/harness-errors.ts"
import type { LeaderClient } from "../../src/harness/leader/leader-client.ts"
import type { LeaderFixture } from "../../src/harness/leader/leader-fixture.ts"
import { waitForReplay } from "../../src/harness/leader/wait-for-replay.ts"
import { withLeader } from "../../src/harness/leader/with-leader.ts"
import type { FaultProxy } from "../../src/proxy/fault-proxy.ts"
import { spawnFaultProxy } from "../../src/proxy.ts"
import { fixtureLeader, sessionOf } from "../harness/leader/fixture-leader.ts"
import type { LiveLeaderWorld } from "../harness/leader/live-leader.ts"
import { startLive } from "../support/live-world.ts"

/* Scenario 95 of agent-harness.md, section 9: clients of the profile `fixture` as processes, which find their leader behind a proxy. */

const { world, start } = fixtureLeader()

interface Front {
  readonly live: LiveLeaderWorld
  readonly fixture: LeaderFixture
  readonly proxy: FaultProxy
  readonly client: LeaderClient
  /** The messages of a direction that were recorded, by their methods; answers are "answer". */
  readonly methods: (connection: number) => ReadonlyArray<string>
}

const messageOf = (content: unknown): Readonly<Record<string, unknown>> => JSON.parse(String(Object(content).payload))

/** Runs a body with a leader, a proxy in front of it, and a client whose variable points at the proxy. */
const behindProxy = async (
  options: { readonly mockUrl?: string; readonly args?: ReadonlyArray<string> },
  body: (front: Front) => Promise<void>
): Promise<void> => {
  const live = world()
  await withLeader(await start(live, options), async (fixture) => {
    const front = join(dirname(fixture.socketPath), "front.sock")
    await using proxy = await spawnFaultProxy(front, fixture.socketPath, {}, { record: true })
    const client = await fixture.spawnClient({
      env: { FIXTURE_LEADER_SOCKET: front, FIXTURE_RECONNECT_DELAY: "50" }
    })
    await client.initialize()
    const methods = (connection: number): ReadonlyArray<string> =>
      (proxy.recording()?.frames ?? [])
        .filter((frame) => frame.connection === connection && frame.direction === "clientToLeader")
        .map(({ bytes, headerBytes }) => JSON.parse(Buffer.from(bytes.subarray(headerBytes)).toString()))
        .filter(({ type }) => type === "acp")
        .map((content) => String(messageOf(content)["method"] ?? "answer"))
    await body({ live, fixture, proxy, client, methods })
    // Behind its clients: one that finds nobody at the front starts a leader there.
    await client.close()
  })
}

describe("a client whose leader is behind a proxy (95)", () => {
  it("has a whole life through it, as without one (24)", async () => {
    const { server } = await startLive()

    await behindProxy({ mockUrl: server.url(), args: ["--via-mock"] }, async ({ fixture, client, proxy, methods }) => {
      const { sessionId, ask } = await sessionOf(fixture, client)
      const text = await ask("say hello")

      expect([sessionId === "", text, client.capturedText(sessionId)]).toEqual([
        false,
        "Echo: say hello",
        "Echo: say hello"
      ])
      expect(server.requests().length).toBeGreaterThanOrEqual(1)
      expect(methods(1)).toEqual(["initialize", "authenticate", "session/new", "session/prompt"])
      expect(proxy.totals()).toMatchObject({ accepted: 1, active: 1, severed: 0, frameErrors: 0, upstreamRefused: 0 })
      const { clientToLeader, leaderToClient } = proxy.connections()[0] ?? {}
      for (const direction of [clientToLeader, leaderToClient]) {
        expect(direction?.delivered).toBe(direction?.received)
        expect(direction?.bytesOut).toBe(direction?.bytesIn)
      }
    })
  })

  it("comes back through the same proxy when it is severed in a turn, and the session survives", async () => {
    await behindProxy({}, async ({ live, fixture, proxy, client, methods }) => {
      const { sessionId, ask } = await sessionOf(fixture, client)
      expect(await ask("before")).toBe("Echo: before")
      // The end of the turn waits in the proxy, so that the client is in the middle of it.
      proxy.addRule({
        direction: "u2c",
        connection: 1,
        match: {
          where: { "/type": "acp" },
          test: (content) => Object(messageOf(content)["result"]).stopReason !== undefined
        },
        action: { type: "hold", barrier: "end of turn" }
      })
      const baseline = client.notificationCount()
      const turn = client.prompt(sessionId, "in vain", { deadlineMs: 90_000 }).then(
        () => "answered",
        (error: unknown) => error
      )
      await proxy.waitForHeld("end of turn")

      expect(proxy.severNow()).toBe(1)
      expect(await waitForReplay(live, client, { baseline: baseline + 1_000, timeoutMs: 60_000 })).toBe(true)

      expect(await ask("after")).toBe("Echo: after")
      expect(client.reconnectedCount()).toBe(1)
      expect(proxy.totals()).toMatchObject({ accepted: 2, active: 1, severed: 1, upstreamRefused: 0 })
      expect(methods(2)).toEqual(["initialize", "session/load", "session/prompt"])
      expect(fixture.lastObservedPid()).toBeNull()
      // What its leader was asked on the lost connection, nobody answers on another one.
      await client.close()
      expect(await turn).toBeInstanceOf(AgentClosed)
    })
  })
})
