import { describe, expect, test } from "vitest"
import { calmScript } from "../../../src/harness/fake-agent/script.ts"
import { encodeFrame } from "../../../src/wire/frames/length-prefixed.ts"
import { jsonFrame } from "../../../src/wire/leader/json-frame.ts"
import { textsOf } from "../fake-agent/fake-agent-world.ts"
import { type LeaderWorld, leaderWorld, type SimClient } from "./leader-world.ts"

/** A client that has had a prompt in a session; gives the id of that. */
const withSession = ({ clock }: LeaderWorld, client: SimClient, word: string): string => {
  client.request("init", "initialize", { protocolVersion: 1 })
  client.request(`new-${word}`, "session/new", { cwd: `/${word}`, mcpServers: [] })
  clock.advance(1_000)
  const { sessionId } = Object(client.responses(`new-${word}`)[0]?.["result"])
  client.prompt(`p-${word}`, sessionId, word)
  clock.advance(100)
  return sessionId
}

const endTurn = [{ result: { stopReason: "end_turn" } }]

describe("a client without a leader", () => {
  test("starts one and polls for its socket; nobody else does while it is there", () => {
    const world = leaderWorld()
    const client = world.startClient()
    world.clock.advance(150)
    const other = world.startClient()
    withSession(world, client, "one")
    withSession(world, other, "two")

    expect(world.leaders).toHaveLength(1)
    expect([client, other].map(({ lines }) => textsOf(lines))).toEqual([
      ["Echo: ", "one"],
      ["Echo: ", "two"]
    ])
  })

  test("starts three at most, ten seconds apart, and then gives up", () => {
    const world = leaderWorld()
    const client = world.startClient({ starts: { exitAfter: { ms: 0, code: 4 }, listens: false } })
    world.clock.advance(29_000)
    expect([world.leaders.length, client.exitCode()]).toEqual([3, null])
    world.clock.advance(2_000)

    expect([world.leaders.length, client.exitCode()]).toEqual([3, 1])
    expect(client.log).toEqual([`no leader at /home/leader.sock: those that were started did not serve it`])
  })

  test("gives up when none can be started", () => {
    const world = leaderWorld()
    const client = world.startClient({ cannotStart: true })
    world.clock.advance(1)

    expect(client.exitCode()).toBe(1)
    expect(client.log).toEqual(["no leader at /home/leader.sock: a leader cannot be started: no such program"])
  })

  test("ends one that holds the lock and was not reached for thirty seconds, first gently", () => {
    const world = leaderWorld()
    const deaf = world.startLeader({ listens: false, agent: { ...calmScript, ignoreTerm: true } })
    const client = world.startClient()
    world.clock.advance(37_000)
    expect(deaf.end()).toBe(null)
    world.clock.advance(2_000)
    expect(deaf.end()).toBe("killed")
    withSession(world, client, "x")

    expect(world.alive()).toHaveLength(1)
  })

  test("waits for one that somebody else has started", () => {
    const world = leaderWorld()
    const client = world.startClient()
    world.startLeader({ readyAfterMs: 5_000 })
    client.request("init", "initialize", { protocolVersion: 1 })
    world.clock.advance(4_900)
    expect([client.lines, world.alive().length]).toEqual([[], 1])
    world.clock.advance(200)

    expect(client.responses("init")).toHaveLength(1)
  })
})

describe("a client whose leader is gone", () => {
  test("waits 1 s, finds another, says everything again, tells it, and sends what came meanwhile", () => {
    const world = leaderWorld()
    const first = world.startLeader()
    const client = world.startClient()
    const one = withSession(world, client, "one")
    const two = withSession(world, client, "two")
    first.kill()
    world.clock.advance(300)
    client.prompt("late", one, "late")
    client.prompt("later", two, "later")
    world.clock.advance(690)
    expect([world.leaders.length, client.reconnects()]).toEqual([1, []])
    const before = client.lines.length
    world.clock.advance(1_000)

    expect(client.reconnects()).toEqual([{ sessionId: two }])
    expect([client.responses("late"), client.responses("later")]).toMatchObject([endTurn, endTurn])
    // The sessions are said again, in their order; then comes what had waited.
    expect(textsOf(client.lines.slice(before))).toEqual([
      "one",
      "Echo: one",
      "two",
      "Echo: two",
      "Echo: ",
      "late",
      "Echo: ",
      "later"
    ])
    expect(client.responses("init")).toHaveLength(2)
  })

  test("says nothing again of sessions that were closed, and tells of none", () => {
    const world = leaderWorld()
    const first = world.startLeader()
    const client = world.startClient()
    const sessionId = withSession(world, client, "one")
    client.request("bye", "session/close", { sessionId })
    world.clock.advance(10)
    first.kill()
    const before = client.lines.length
    world.clock.advance(5_000)

    expect(client.lines.slice(before)).toEqual(['{"jsonrpc":"2.0","method":"x.ai/leader_reconnected","params":{}}'])
  })

  test("takes no answer of the next one for that of what the first had been asked", () => {
    const world = leaderWorld()
    const first = world.startLeader()
    const client = world.startClient()
    const sessionId = withSession(world, client, "x")
    first.kill()
    client.request("again", "session/close", { sessionId })
    world.clock.advance(5_000)
    client.prompt("again", sessionId, "y")
    world.clock.advance(100)
    expect(client.responses("again")).toMatchObject(endTurn)
    world.alive()[0]?.kill()
    world.clock.advance(5_000)

    expect(client.reconnects()).toEqual([{ sessionId }, { sessionId }])
  })

  test("waits 1, 2, 4, 8 and 16 seconds, and then gives up", () => {
    const world = leaderWorld()
    const first = world.startLeader()
    const client = world.startClient({ starts: { listens: false, exitAfter: { ms: 0, code: 4 } } })
    withSession(world, client, "x")
    const from = world.clock.now()
    first.kill()
    // Each try starts three leaders that do not serve, for ten seconds each.
    const tries = [1, 2, 4, 8, 16].reduce((sum, seconds) => sum + seconds + 30, 0) * 1_000
    world.clock.advance(tries - 1_000)
    expect(client.exitCode()).toBe(null)
    world.clock.advance(2_000)

    expect([client.exitCode(), world.leaders.length - 1]).toEqual([1, 15])
    expect(world.clock.now() - from).toBe(tries + 1_000)
  })

  test("refuses what has waited for more than five minutes", () => {
    const world = leaderWorld()
    const first = world.startLeader()
    const client = world.startClient({ starts: { readyAfterMs: 110_000 } })
    const sessionId = withSession(world, client, "x")
    first.kill()
    world.clock.advance(10)
    client.prompt("old", sessionId, "old")
    world.clock.advance(100_000)
    for (const leader of world.alive()) leader.kill()
    world.clock.advance(100_000)
    for (const leader of world.alive()) leader.kill()
    world.clock.advance(50_000)
    client.prompt("young", sessionId, "young")
    world.clock.advance(120_000)

    expect([client.responses("old"), client.responses("young")]).toMatchObject([
      [{ error: { code: -32603, message: "there was no leader for too long" } }],
      endTurn
    ])
  })

  test("goes over to the one that takes the place of a leader that makes room", () => {
    const world = leaderWorld()
    const first = world.startLeader()
    const client = world.startClient()
    const sessionId = withSession(world, client, "x")
    first.terminate()
    world.clock.advance(5_000)
    client.prompt("y", sessionId, "y")
    world.clock.advance(10)

    expect(first.end()).toEqual({ kind: "exit", code: 0 })
    expect(client.responses("y")).toMatchObject(endTurn)
  })
})

describe("a client and the version of a leader", () => {
  test.each([
    ["1.0.0", "2.0.0", "2.0.0"],
    ["2.0.0", "1.0.0", "2.0.0"],
    ["2.0.0", "2.0.0", "2.0.0"],
    ["nightly", "2.0.0", "nightly"],
    ["1.0.0", "nightly", "1.0.0"]
  ])("a leader of %s and a client of %s come to a leader of %s", (leaderVersion, clientVersion, expected) => {
    const world = leaderWorld()
    const old = world.startLeader({ version: leaderVersion })
    world.clock.advance(100)
    const client = world.startClient({ version: clientVersion })
    withSession(world, client, "x")

    expect(world.alive().map(({ script }) => script.version)).toEqual([expected])
    expect(old.log.some((line) => line.startsWith("Version mismatch"))).toBe(leaderVersion !== clientVersion)
  })

  test("an older leader that does not end when it is told to is killed after eight seconds", () => {
    const world = leaderWorld()
    const old = world.startLeader({ agent: { ...calmScript, ignoreTerm: true } })
    world.clock.advance(100)
    world.startClient({ version: "2.0.0" })
    world.clock.advance(7_900)
    expect(old.end()).toBe(null)
    world.clock.advance(1_000)

    expect(world.alive().map(({ script }) => script.version)).toEqual(["2.0.0"])
  })
})

test("a client ends nobody who has got the lock since it saw the older leader", () => {
  const world = leaderWorld()
  const old = world.startLeader()
  world.clock.advance(100)
  const ended: Array<string> = []
  world.whenTerminated((version) => void ended.push(version))
  world.startClient({ version: "2.0.0" })
  while (!old.events.includes("client_registered")) world.clock.step()
  world.passLock(world.startLeader({ version: "2.0.0" }).pid)
  world.clock.advance(1_000)

  expect(ended).toEqual([])
})

test("a client takes a leader that writes no messages for one that is gone", () => {
  const world = leaderWorld()
  let connections = 0
  world.streams.listen(
    { kind: "unix", path: "/home/leader.sock" },
    {
      bound: () => {},
      failed: () => {},
      accepted(socket) {
        connections++
        socket.write(jsonFrame({ type: "registered", client_id: 1 }), () => {})
        socket.write(encodeFrame(new TextEncoder().encode("this is not json")), () => {})
        return { received: () => {}, ended: () => {}, closed: () => {} }
      },
      lost: () => {}
    }
  )
  world.clock.settle()
  world.startClient()
  world.clock.advance(900)
  expect(connections).toBe(1)
  world.clock.advance(200)
  expect(connections).toBe(2)
})

test("a client ends with its input, and lets the leader know", () => {
  const world = leaderWorld()
  const leader = world.startLeader()
  const client = world.startClient()
  withSession(world, client, "x")
  client.inputEnds()
  world.clock.advance(1)

  expect(client.exitCode()).toBe(0)
  expect(leader.events.at(-1)).toBe("client_left")
})
