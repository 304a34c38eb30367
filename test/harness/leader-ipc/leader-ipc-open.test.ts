import { describe, expect, it } from "vitest"
import { makeAgentStage } from "../../../properties/observation/agent-stage.ts"
import { connectLeader } from "../../../src/harness/leader-ipc/connect-leader.ts"
import { fakeLeaders } from "../../../src/harness/leader-ipc/fake-leaders.ts"
import { jsonFrame } from "../../../src/wire/leader/json-frame.ts"
import { nothing, path, stageOf } from "./ipc-stage.ts"

describe("an open connection", () => {
  it("registers as it was told to, and pings every 30 seconds", async () => {
    const stage = await stageOf(fakeLeaders.normal())
    const connecting = connectLeader(stage.world, path, {
      clientType: "tester",
      mode: "headless",
      capabilities: { fs_read: true }
    })
    await stage.settled(connecting)
    const connection = await connecting

    stage.clock.advance(95_000)

    const register = { type: "register", client_type: "tester", mode: "headless", capabilities: { fs_read: true } }
    expect(stage.leader.heard().map(({ message }) => message)).toEqual([register, ...Array(3).fill({ type: "ping" })])
    expect(connection.pongs()).toBe(3)
  })

  it("tells what the leader is, and asks it to make room", async () => {
    const stage = await stageOf(fakeLeaders.normal({ binaryVersion: "1.2.3" }))
    const connection = await stage.connected()
    expect([connection.clientId, connection.binaryVersion, connection.can("relaunch_v1"), connection.can("x")]).toEqual(
      [1, "1.2.3", true, false]
    )

    const info = await stage.settled(connection.getLeaderInfo())
    const relaunch = await stage.settled(connection.relaunchForUpdate("2.0.0"))
    const unknown = await stage.settled(connection.control({ type: "dance" }))

    expect(info.value).toMatchObject({ pid: 4_242, binaryVersion: "1.2.3", protocolVersion: 1 })
    expect(relaunch.value).toEqual({ kind: "relaunching", fromVersion: "1.2.3", toVersion: "2.0.0", graceMs: 10_000 })
    expect(unknown.error).toMatchObject({ _tag: "AgentError", code: 0, data: { code: "unknown_command" } })
  })

  it("sends and receives texts in order, and waits no longer than it was told to", async () => {
    const stage = await stageOf(fakeLeaders.normal())
    const connection = await stage.connected()
    const waits = [connection.receive(), connection.receive()]
    stage.leader.say({ type: "acp", payload: "one" })
    stage.leader.say({ type: "acp", payload: "two" })
    stage.leader.say({ type: "acp", payload: "three" })

    expect((await stage.settled(Promise.all(waits))).value).toEqual(["one", "two"])
    expect((await stage.settled(connection.receive())).value).toBe("three")
    await stage.settled(connection.send("{}"))
    stage.clock.settle()
    expect(stage.leader.heard().at(-1)?.message).toEqual({ type: "acp", payload: "{}" })

    const late = await stage.settled(connection.receive({ ms: 500 }))

    expect([late.at, late.error]).toMatchObject([500, { _tag: "WaitTimeout", ms: 500 }])
    stage.leader.say({ type: "acp", payload: "four" })
    expect((await stage.settled(connection.receive())).value).toBe("four")
  })

  it("says goodbye when it is closed, and is gone then", async () => {
    const stage = await stageOf(fakeLeaders.normal())
    const connection = await stage.connected()
    const waiting = stage.settled(connection.receive())

    const { at } = await stage.settled(connection.disconnect())

    expect(at).toBe(0)
    expect((await waiting).error).toMatchObject({ _tag: "AgentClosed" })
    expect(connection.disconnectReason()).toBe("clientInitiated")
    expect((await stage.settled(connection.closed())).value).toBe("clientInitiated")
    expect((await stage.settled(connection.send("x"))).error).toMatchObject({ _tag: "AgentClosed" })
    expect(await stage.leftovers()).toEqual(nothing)
    expect(stage.leader.heard().at(-1)?.message).toEqual({ type: "disconnect" })
  })

  it("waits a second for a leader that takes nothing any more to be left", async () => {
    const stage = makeAgentStage({ steps: [] })
    const { port } = stage.streams
    port.listen(
      { kind: "unix", path },
      {
        bound: () => {},
        failed: () => {},
        lost: () => {},
        accepted(socket) {
          socket.write(jsonFrame({ type: "registered", client_id: 1 }), () => socket.pause())
          return { received: () => {}, ended: () => {}, closed: () => {} }
        }
      }
    )
    const connecting = connectLeader(stage.world, path)
    await stage.settled(connecting)
    const connection = await connecting
    const unsent = connection.send("x".repeat(200_000))

    const { at } = await stage.settled(connection.disconnect())

    expect(at).toBe(1_000)
    expect((await stage.settled(unsent)).error).toMatchObject({ _tag: "AgentClosed" })
    expect(connection.disconnectReason()).toBe("clientInitiated")
  })

  it("knows why it ended: the leader shut down, having said why, or the connection was lost", async () => {
    const shut = await stageOf(fakeLeaders.normal())
    const first = await shut.connected()
    shut.leader.say({ type: "shutting_down", reason: "auto_update", delay_ms: 100 })
    shut.leader.say({ type: "acp", payload: "last words" })
    shut.leader.say({ type: "shutdown" })

    expect((await shut.settled(first.closed())).value).toBe("leaderShutdown")
    expect(first.shuttingDown()).toEqual({ reason: "auto_update", delayMs: 100 })
    expect((await shut.settled(first.receive())).value).toBe("last words")
    expect((await shut.settled(first.receive())).error).toMatchObject({
      _tag: "AgentClosed",
      message: expect.stringContaining("shut down (auto_update)")
    })

    const lost = await stageOf(fakeLeaders.normal())
    const second = await lost.connected()
    lost.leader.closeConnections()
    expect((await lost.settled(second.closed())).value).toBe("connectionLost")
    expect([second.failure(), second.shuttingDown()]).toEqual([null, null])
  })

  it("is lost, with what broke it, when what comes is no message", async () => {
    const stage = await stageOf(fakeLeaders.normal())
    const connection = await stage.connected()
    const waiting = stage.settled(connection.receive())

    stage.leader.say({ type: "acp", payload: 7 })

    expect((await waiting).error).toMatchObject({ _tag: "ProtocolViolation" })
    expect([connection.disconnectReason(), connection.failure()]).toMatchObject([
      "connectionLost",
      { rule: "acp has a payload, which is a string" }
    ])
  })

  it("keeps what it was not asked for: errors, unknown types, answers to nothing", async () => {
    const stage = await stageOf(fakeLeaders.normal())
    const connection = await stage.connected()

    stage.leader.say({ type: "error", code: 2, message: "already registered", more: 1 })
    stage.leader.say({ type: "weather", rain: true })
    stage.leader.say({ type: "control_result", request_id: "nobody", result: { Ok: 1 } })
    stage.leader.say({ type: "registered", client_id: 9, ready: false })
    stage.leader.say({ type: "acp", payload: "still open", more: 1 })

    expect((await stage.settled(connection.receive())).value).toBe("still open")
    expect(connection.errors()).toEqual([{ code: 2, message: "already registered" }])
    expect(connection.strays().map(({ type }) => type)).toEqual(["weather", "control_result"])
    expect(connection.clientId).toBe(1)
  })

  it("fails a command that is not answered in its time", async () => {
    const stage = await stageOf({
      heard: (client, { type }) => {
        const capabilities = { control_v1: true }
        if (type !== "register") return
        client.say({
          type: "registered",
          client_id: 1,
          leader_protocol_version: 1,
          leader_capabilities: capabilities
        })
      }
    })
    const connection = await stage.connected()

    const { at, error } = await stage.settled(connection.getLeaderInfo())

    expect([at, error]).toMatchObject([30_000, { _tag: "RequestTimeout", what: "get_leader_info" }])
  })
})
