import { describe, expect, it } from "vitest"
import { makeAgentStage } from "../../../properties/observation/agent-stage.ts"
import { connectLeader } from "../../../src/harness/leader-ipc/connect-leader.ts"
import { fakeLeaders } from "../../../src/harness/leader-ipc/fake-leaders.ts"
import { startFakeLeader } from "../../../src/harness/leader-ipc/start-fake-leader.ts"
import { nothing, path, stageOf } from "./ipc-stage.ts"

describe("a connection to a leader (73)", () => {
  it("fails after 10 seconds with one that takes connections and says nothing", async () => {
    const stage = await stageOf(fakeLeaders.silentAfterAccept())

    const { at, error } = await stage.connect()

    expect(at).toBe(10_000)
    expect(error).toMatchObject({ _tag: "RequestTimeout", ms: 10_000 })
    expect(await stage.leftovers()).toEqual(nothing)
  })

  it("fails after 10 seconds with one that sends 2 bytes of a prefix, and says so", async () => {
    const stage = await stageOf(fakeLeaders.partialFrame(2))

    const { at, error } = await stage.connect()

    expect(at).toBe(10_000)
    expect(error).toMatchObject({ _tag: "RequestTimeout", message: expect.stringContaining("2 bytes of a frame") })
    expect(await stage.leftovers()).toEqual(nothing)
  })

  it("fails after 120 seconds with one that is never ready", async () => {
    const stage = await stageOf(fakeLeaders.readyFalseForever())

    const { at, error } = await stage.connect()

    expect(at).toBe(120_000)
    expect(error).toMatchObject({ _tag: "RequestTimeout", ms: 120_000 })
    expect(await stage.leftovers()).toEqual(nothing)
  })

  it("fails at once with one that sends what is no message", async () => {
    const stage = await stageOf(fakeLeaders.garbageFrame())

    const { at, error } = await stage.connect()

    expect(at).toBe(0)
    expect(error).toMatchObject({ _tag: "ProtocolViolation", line: "this is not json" })
    expect(await stage.leftovers()).toEqual(nothing)
  })

  it("is open with one of another version, which takes no commands", async () => {
    const stage = await stageOf(fakeLeaders.normal({ protocolVersion: 999 }))
    const connection = await stage.connected()
    expect(connection.protocolVersion).toBe(999)

    const { at, error } = await stage.settled(connection.getLeaderInfo())

    expect(at).toBe(0)
    expect(error).toMatchObject({ _tag: "UnsupportedControl", message: expect.stringContaining("version 999") })
    expect(stage.leader.heard().map(({ message }) => message["type"])).toEqual(["register"])
  })

  it("fails at once with one that announces a frame of 67,108,865 bytes", async () => {
    const stage = await stageOf(fakeLeaders.oversizeLength(67_108_865))

    const { at, error } = await stage.connect()

    expect(at).toBe(0)
    expect(error).toMatchObject({ _tag: "FrameTooLarge", limit: 67_108_864, length: 67_108_865 })
    expect(await stage.leftovers()).toEqual(nothing)
  })
})

describe("connecting to a leader", () => {
  it("is tried four times, 100 ms apart, and then says why it failed", async () => {
    const stage = makeAgentStage({ steps: [] })

    const { at, error } = await stage.settled(connectLeader(stage.world, path))

    expect(at).toBe(300)
    expect(error).toMatchObject({ _tag: "AgentClosed", message: expect.stringContaining("in 4 attempts: missing, ") })
    expect(stage.clock.armed()).toBe(0)
  })

  it("works when the leader listens by the last attempt", async () => {
    const stage = makeAgentStage({ steps: [] })
    const connecting = connectLeader(stage.world, path)
    stage.clock.advance(299)
    await stage.settled(startFakeLeader(stage.world, path, fakeLeaders.normal()))

    const { at, value } = await stage.settled(connecting)

    expect(at).toBe(300)
    expect(value).toMatchObject({ clientId: 1 })
  })

  it("gives up an attempt after 5 seconds that is answered by nobody", async () => {
    const stage = makeAgentStage({ steps: [] })
    const attempts: Array<number> = []
    let givenUp = 0
    const streams = {
      ...stage.streams.port,
      connect() {
        attempts.push(stage.clock.now())
        return () => void givenUp++
      }
    }

    const { at, error } = await stage.settled(connectLeader({ ...stage.world, streams }, path))

    expect([at, attempts, givenUp]).toEqual([20_300, [0, 5_100, 10_200, 15_300], 4])
    expect(error).toMatchObject({ message: expect.stringContaining("no connection within 5000 ms") })
  })

  it("does not try again where the path is too long", async () => {
    const stage = makeAgentStage({ steps: [] })

    const { at, error } = await stage.settled(connectLeader(stage.world, `/sandboxes/${"n".repeat(109)}`))

    expect(at).toBe(0)
    expect(error).toMatchObject({ _tag: "PathTooLong", bytes: 120, limit: 107 })
  })

  it("fails with what the leader refuses with, and with another first message", async () => {
    const refusing = await stageOf({ heard: (client) => client.say({ type: "error", code: 2, message: "already" }) })
    expect((await refusing.connect()).error).toMatchObject({ _tag: "AgentError", code: 2, said: "already" })

    const early = await stageOf({ accepted: (client) => client.say({ type: "leader_ready" }) })
    expect((await early.connect()).error).toMatchObject({ _tag: "ProtocolViolation", line: '{"type":"leader_ready"}' })
  })

  it.each([
    ["shutdown", { type: "shutdown" }],
    ["shutting_down", { type: "shutting_down", reason: "idle_timeout", delay_ms: 5 }]
  ])("fails at once when a leader that is not ready says %s", async (_, message) => {
    const stage = await stageOf({
      heard(client) {
        client.say({ type: "registered", client_id: 1, ready: false })
        client.say(message)
      }
    })

    const { at, error } = await stage.connect()

    expect(at).toBe(0)
    expect(error).toMatchObject({ _tag: "AgentClosed" })
  })

  it("fails at once when a leader that is not ready closes the connection", async () => {
    const stage = await stageOf({
      heard(client) {
        client.say({ type: "registered", client_id: 1, ready: false })
        client.close()
      }
    })

    const { at, error } = await stage.connect()

    expect(at).toBe(0)
    expect(error).toMatchObject({ _tag: "AgentClosed", message: expect.stringContaining("before it was ready") })
  })
})
