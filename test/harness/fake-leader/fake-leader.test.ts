import { describe, expect, test } from "vitest"
import { calmScript } from "../../../src/harness/fake-agent/script.ts"
import type { FakeLeaderScript } from "../../../src/harness/fake-leader/leader-script.ts"
import { requestLine } from "../../../src/wire/acp/write-line.ts"
import { callLeader } from "./leader-caller.ts"
import { leaderWorld } from "./leader-world.ts"

/** A leader, and somebody who has connected to it. */
const called = (script: Partial<FakeLeaderScript> = {}) => {
  const world = leaderWorld()
  const leader = world.startLeader(script)
  world.clock.advance(1)
  const caller = callLeader(world.streams)
  world.clock.settle()
  return { world, leader, caller, settle: () => void world.clock.settle() }
}

/** The same when it has registered, with nothing left unread. */
const registered = (script: Partial<FakeLeaderScript> = {}, version?: string) => {
  const all = called(script)
  all.caller.register(version)
  all.settle()
  all.caller.fresh()
  return all
}

const control = (command: unknown) => ({ type: "control", request_id: "r", command })

describe("registration", () => {
  test("is answered with who the client is now, and what the leader is", () => {
    const { caller, settle } = called({ version: "1.2.3", protocolVersion: 7, capabilities: ["control_v1"] })
    caller.register()
    settle()

    expect(caller.fresh()).toEqual([
      {
        type: "registered",
        client_id: 1,
        ready: true,
        leader_protocol_version: 7,
        leader_binary_version: "1.2.3",
        leader_capabilities: {
          control_v1: true,
          runtime_cpu_profile: false,
          profile_formats: [],
          workspace_exposure: false,
          relaunch_v1: false
        }
      }
    ])
  })

  test("comes first, once, and within thirty seconds", () => {
    const early = called()
    early.caller.send({ type: "ping" })
    early.settle()
    expect(early.caller.fresh()).toEqual([{ type: "error", code: 1, message: "expected register" }])
    expect(early.caller.isClosed()).toBe(true)

    const twice = registered()
    twice.caller.register()
    twice.caller.send({ type: "ping" })
    twice.settle()
    expect(twice.caller.fresh()).toEqual([{ type: "error", code: 2, message: "already registered" }, { type: "pong" }])

    const late = called()
    late.world.clock.advance(29_900)
    expect(late.caller.isClosed()).toBe(false)
    late.world.clock.advance(200)
    expect(late.caller.fresh()).toEqual([{ type: "error", code: 3, message: "registration timeout" }])
    expect(late.caller.isClosed()).toBe(true)
  })

  test.each([
    ['{"type":"register","mode":"stdio"}', "a register needs a client_type"],
    ['{"type":"register","client_type":"t","mode":"tui"}', 'the mode of a register is "headless" or "stdio"'],
    ['{"type":"acp"}', "an acp needs a payload, which is a text"],
    ['{"type":"control","request_id":1}', "a control needs a request_id, which is a text"],
    ["this is not json", "a message is a JSON object with a type"]
  ])("a client that sends %s is cut off, and the log says why", (body, reason) => {
    const { caller, leader, settle } = called()
    caller.sendBody(body)
    settle()

    expect(caller.isClosed()).toBe(true)
    expect(leader.log.at(-1)).toBe(`client 1 sent what is no message: ${reason}`)
  })

  test("a message of a type that is unknown is passed over", () => {
    const { caller, settle } = registered()
    caller.send({ type: "toString" })
    caller.send({ type: "ping" })
    settle()

    expect(caller.fresh()).toEqual([{ type: "pong" }])
  })
})

test("before it is ready it says so, refuses requests, and then tells everybody", () => {
  const { caller, world, settle } = called({ readyAfterMs: 500 })
  caller.register()
  caller.acp(requestLine(1, "initialize", {}))
  settle()
  expect(caller.fresh()).toMatchObject([
    { type: "registered", ready: false },
    { payload: '{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"leader_starting"}}' }
  ])
  world.clock.advance(500)
  caller.acp(requestLine(1, "initialize", {}))
  settle()

  expect(caller.fresh()).toMatchObject([{ type: "leader_ready" }, { type: "acp" }])
})

describe("commands", () => {
  test("get_leader_info says what the leader is", () => {
    const { caller, leader, settle } = registered({ version: "1.0.0" })
    caller.send(control({ type: "get_leader_info" }))
    settle()

    expect(caller.fresh()).toEqual([
      {
        type: "control_result",
        request_id: "r",
        result: {
          Ok: {
            type: "leader_info",
            pid: leader.pid,
            socket_path: "/home/leader.sock",
            lock_path: "/home/leader.lock",
            ws_url_suffix: "",
            leader_protocol_version: 1,
            leader_binary_version: "1.0.0"
          }
        }
      }
    ])
  })

  test.each([
    [["relaunch_v1"], { type: "get_leader_info" }, { Err: { code: "unsupported" } }],
    [["control_v1"], { type: "relaunch_for_update", to_version: "9.0.0" }, { Err: { code: "unknown_command" } }],
    [["control_v1"], "dance", { Err: { code: "unknown_command" } }],
    [["control_v1", "relaunch_v1"], { type: "relaunch_for_update" }, { Err: { code: "invalid_command" } }],
    [
      ["control_v1", "relaunch_v1"],
      { type: "relaunch_for_update", to_version: "1.0.0" },
      { Ok: { type: "relaunch_declined" } }
    ]
  ])("with %j, %j is answered %j, and the leader stays", (capabilities, command, result) => {
    const { caller, leader, world } = registered({ capabilities })
    caller.send(control(command))
    world.clock.advance(20_000)

    expect(caller.fresh()).toMatchObject([{ type: "control_result", request_id: "r", result }])
    expect(leader.end()).toBe(null)
  })

  test("relaunch_for_update waits for what is under way, for ten seconds", () => {
    for (const [delayMs, endMs] of [
      [3_000, 3_000],
      [20_000, 10_000]
    ] as const) {
      const rule = { method: "x", call: null, afterChunks: null, does: { kind: "delay", ms: delayMs } } as const
      const { caller, leader, world } = registered({ agent: { ...calmScript, rules: [rule] } })
      caller.acp(requestLine(1, "x", {}))
      caller.send(control({ type: "relaunch_for_update", to_version: "999.0.0" }))
      world.clock.advance(endMs - 1)
      expect(leader.end()).toBe(null)
      world.clock.advance(10)

      expect(leader.end()).toEqual({ kind: "exit", code: 0 })
      expect(caller.fresh().map(({ type }) => type)).toEqual([
        "control_result",
        "shutting_down",
        ...(delayMs < endMs + 1 ? ["acp"] : []),
        "shutdown"
      ])
    }
  })
})

describe("the end of a leader", () => {
  test("comes with that of its agent, with the same code", () => {
    const rule = { method: "x", call: null, afterChunks: null, does: { kind: "exit", code: 7 } } as const
    const { caller, leader, world } = registered({ agent: { ...calmScript, rules: [rule] } })
    caller.acp(requestLine(1, "x", {}))
    world.clock.advance(10)

    expect(leader.end()).toEqual({ kind: "exit", code: 7 })
    expect(world.holder()).toBe(null)
  })

  test("by a crash of its agent is a crash", () => {
    const rule = { method: "x", call: null, afterChunks: null, does: { kind: "crash", signal: "SIGSEGV" } } as const
    const { caller, leader, world } = registered({ agent: { ...calmScript, rules: [rule] } })
    caller.acp(requestLine(1, "x", {}))
    world.clock.advance(10)

    expect(leader.end()).toEqual({ kind: "crash", signal: "SIGSEGV" })
  })

  test("does not wait for a client that does not go, for more than a second", () => {
    const { leader, world } = registered()
    world.streams.connect(
      { kind: "unix", path: "/home/leader.sock" },
      {
        opened: () => ({ received: () => {}, ended: () => {}, closed: () => {} }),
        failed: () => {}
      }
    )
    world.clock.settle()
    leader.terminate()
    world.clock.advance(999)
    expect(leader.end()).toBe(null)
    world.clock.advance(1)
    expect(leader.end()).toEqual({ kind: "exit", code: 0 })
  })
})

describe("a leader that finds another one", () => {
  test("leaves when that serves", () => {
    const { world } = called()
    const second = world.startLeader()
    world.clock.advance(10)

    expect([second.end(), second.log]).toEqual([{ kind: "exit", code: 0 }, ["another leader serves /home/leader.sock"]])
  })

  test("waits for fifteen seconds while that does not, and takes its place when it is gone", () => {
    const world = leaderWorld()
    world.startLeader({ listens: false })
    const second = world.startLeader()
    world.clock.advance(14_900)
    expect(second.end()).toBe(null)
    world.clock.advance(200)
    expect(second.end()).toEqual({ kind: "exit", code: 1 })

    const third = world.startLeader()
    world.clock.advance(1_000)
    world.leaders[0]?.kill()
    world.clock.advance(200)
    expect([third.end(), world.holder()]).toEqual([null, third.pid])
  })
})
