import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { connectLeader } from "../../../src/harness/leader-ipc/connect-leader.ts"
import { type FakeLeaderBehaviour, fakeLeaders } from "../../../src/harness/leader-ipc/fake-leaders.ts"
import type { RunningFakeLeader } from "../../../src/harness/leader-ipc/running-fake-leader.ts"
import { startFakeLeader } from "../../../src/harness/leader-ipc/start-fake-leader.ts"
import type { StreamAddress } from "../../../src/ports/stream-port.ts"
import { type LiveAgentWorld, liveAgentWorld } from "../agent-world.ts"

const tcp: StreamAddress = { kind: "tcp", host: "127.0.0.1", port: 0 }

interface Stage {
  readonly world: LiveAgentWorld
  readonly leader: RunningFakeLeader
  /** Closes the leader; settles when the connections of both sides are gone. */
  allClosed(): Promise<number>
}

const stageOf = async (behaviour: FakeLeaderBehaviour, at?: StreamAddress): Promise<Stage> => {
  const world = liveAgentWorld()
  const path = join(world.baseFolder, "leader.sock")
  const leader = await startFakeLeader(world, at ?? path, behaviour)
  onTestFinished(() => leader.close())
  return {
    world,
    leader,
    async allClosed() {
      await leader.close()
      expect(existsSync(path)).toBe(false)
      return world.streams.open().connections
    }
  }
}

describe("a connection to a fake leader over real sockets", () => {
  it.each([
    ["a path", undefined],
    ["a port", tcp]
  ])("registers at %s, exchanges texts of any length, and takes commands", async (_, at) => {
    const { world, leader, allClosed } = await stageOf(fakeLeaders.normal({ binaryVersion: "3.1.0" }), at)
    {
      await using connection = await connectLeader(world, leader.address)
      const long = "ü".repeat(1_000_000)
      leader.say({ type: "acp", payload: long })
      leader.say({ type: "acp", payload: "" })

      expect(await connection.receive()).toBe(long)
      expect(await connection.receive()).toBe("")
      await connection.send(long)
      expect(await connection.getLeaderInfo()).toMatchObject({ binaryVersion: "3.1.0" })
      expect(await connection.relaunchForUpdate("4.0.0")).toMatchObject({ kind: "relaunching", toVersion: "4.0.0" })
      // An answer to what was sent behind it has come, so it was heard.
      expect(leader.heard().find(({ message }) => message["type"] === "acp")?.message["payload"]).toBe(long)
    }
    expect(await allClosed()).toBe(0)
  })

  it("fails at once on what is no message, on a frame that is too long, and when the leader goes", async () => {
    const garbage = await stageOf(fakeLeaders.garbageFrame())
    await expect(connectLeader(garbage.world, garbage.leader.address)).rejects.toMatchObject({
      _tag: "ProtocolViolation",
      line: "this is not json"
    })
    expect(await garbage.allClosed()).toBe(0)

    const oversize = await stageOf(fakeLeaders.oversizeLength(67_108_865))
    await expect(connectLeader(oversize.world, oversize.leader.address)).rejects.toMatchObject({
      _tag: "FrameTooLarge",
      length: 67_108_865
    })
    expect(await oversize.allClosed()).toBe(0)

    const gone = await stageOf(fakeLeaders.closeAfterRegister())
    const connection = await connectLeader(gone.world, gone.leader.address)
    expect(await connection.closed()).toBe("connectionLost")
    expect(await gone.allClosed()).toBe(0)
  })

  it.each([
    ["silent", fakeLeaders.silentAfterAccept()],
    ["in the middle of a prefix", fakeLeaders.partialFrame(2)],
    ["never ready", fakeLeaders.readyFalseForever()]
  ])("can be given up with one that is %s", async (_, behaviour) => {
    let tellHeard = (): void => {}
    const heard = new Promise<void>((resolve) => {
      tellHeard = resolve
    })
    const { world, leader, allClosed } = await stageOf({
      ...behaviour,
      heard(client, message) {
        behaviour.heard?.(client, message)
        tellHeard()
      }
    })
    const givenUp = new AbortController()
    const connecting = connectLeader(world, leader.address, { signal: givenUp.signal })
    await heard

    givenUp.abort()

    await expect(connecting).rejects.toMatchObject({ _tag: "Cancelled" })
    expect(await allClosed()).toBe(0)
    expect(world.processes.armed()).toBe(0)
  })

  it("hears of a leader that shuts down, and of one that is closed", async () => {
    const { world, leader, allClosed } = await stageOf(fakeLeaders.normal())
    const [first, second] = [await connectLeader(world, leader.address), await connectLeader(world, leader.address)]
    leader.say({ type: "shutting_down", reason: "manual", delay_ms: 0 })
    leader.say({ type: "acp", payload: "behind it" })
    expect(await first.receive()).toBe("behind it")
    leader.say({ type: "shutdown" })

    expect(await Promise.all([first.closed(), second.closed()])).toEqual(["leaderShutdown", "leaderShutdown"])
    expect(second.shuttingDown()).toEqual({ reason: "manual", delayMs: 0 })

    const third = await connectLeader(world, leader.address)
    expect(await allClosed()).toBeLessThanOrEqual(1)
    expect(await third.closed()).toBe("connectionLost")
    expect(world.streams.open().connections).toBe(0)
  })
})
