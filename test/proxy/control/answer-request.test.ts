import { describe, expect, test } from "vitest"
import { answerRequest } from "../../../src/proxy/control/answer-request.ts"
import { controlCommandNames, controlCommands, controlUsage } from "../../../src/proxy/control/control-commands.ts"
import { allWaitsMax, makeControlDesk } from "../../../src/proxy/control/control-desk.ts"
import { type FakeProxy, makeFakeProxy } from "./fake-proxy.ts"

/** A proxy, and who answers requests to it. */
const world = (fake: FakeProxy = makeFakeProxy()) => {
  let stops = 0
  const desk = makeControlDesk(fake.proxy, () => {
    stops++
  })
  const answer = async (line: string) => JSON.parse(JSON.stringify(await answerRequest(Buffer.from(line), desk)))
  const ask = (request: unknown) => answer(JSON.stringify(request))
  const error = async (request: unknown): Promise<string> => {
    const { ok, error } = await ask(request)
    return `${ok} ${error}`
  }
  return { ...fake, ask, answer, error, stops: () => stops }
}

const both = ["clientToLeader", "leaderToClient"]

describe("a request", () => {
  test.each([
    [{ command: "sever" }, { severed: 2 }, ["sever"]],
    [{ command: "sever", connection: 2 }, { severed: 1 }, ["sever 2"]],
    [{ command: "vanish", connection: 1 }, { vanished: 1 }, ["vanish 1"]],
    [{ command: "partition" }, { partitioned: both }, ["partition clientToLeader leaderToClient"]],
    [{ command: "partition", direction: "u2c" }, { partitioned: ["leaderToClient"] }, ["partition leaderToClient"]],
    [{ command: "heal", direction: "both" }, { healed: both }, ["heal clientToLeader leaderToClient"]],
    [{ command: "pause" }, { paused: both }, ["pause clientToLeader", "pause leaderToClient"]],
    [{ command: "pause", direction: "c2u", connection: 1 }, { paused: ["clientToLeader"] }, ["pause clientToLeader 1"]],
    [{ command: "resume", direction: "leaderToClient" }, { resumed: ["leaderToClient"] }, ["resume leaderToClient"]],
    [{ command: "held" }, { held: [] }, []],
    [{ command: "stop" }, {}, []]
  ])("%j is carried out", async (request, result, words) => {
    const { ask, told, stops } = world()

    expect(await ask(request)).toEqual({ ok: true, result })
    expect(told).toEqual(words)
    expect(stops()).toBe(request.command === "stop" ? 1 : 0)
  })

  test("gets its id back, with a failure too", async () => {
    const { ask } = world()

    expect(await ask({ id: "a", command: "held" })).toEqual({ id: "a", ok: true, result: { held: [] } })
    expect(await ask({ id: 0, command: "hedl" })).toMatchObject({ id: 0, ok: false })
    expect(await ask({ id: null, command: "held" })).toEqual({ ok: true, result: { held: [] } })
  })

  test("that is none is answered by what is wrong with it", async () => {
    const { answer, error } = world()

    expect((await answer("sever")).error).toMatch(/^the request is no JSON: /)
    expect((await answer("\xff")).error).toMatch(/^the request is no JSON: /)
    expect((await answer("[".repeat(200))).error).toBe("the request is no JSON: nested deeper than 128 levels")
    expect(await error("sever")).toBe('false the request is "sever"; use an object with command, and what it needs')
    expect(await error({})).toMatch(/^false `command` of the request is missing; use one of sever, hold, /)
    expect(await error({ command: "hedl" })).toBe('false `command` of the request is "hedl"; did you mean "held"?')
    expect(await error({ command: "toString" })).toMatch(/is "toString"; use one of sever, /)
    expect(await error({ command: "sever", conection: 1 })).toBe(
      'false `conection` of the request is not known; did you mean "connection"?'
    )
    expect(await error({ command: "vanish" })).toBe("false `connection` of the request is missing")
    expect(await error({ command: "wait held" })).toBe("false `barrier` of the request is missing; it is a text")
    expect(await error({ command: "wait forwarded", direction: "up", count: 1 })).toMatch(
      /^false `direction` of the req/
    )
    expect(await error({ command: "held", id: {} })).toMatch(/^false `id` is \{\}; use a number, or a text/)
  })

  test("for a connection that is not there says which are", async () => {
    expect(await world().error({ command: "sever", connection: 9 })).toBe(
      "false `connection` of the request is 9, which is not active; active are 1, 2"
    )
    expect(await world(makeFakeProxy({ active: 0 })).error({ command: "vanish", connection: 1 })).toBe(
      "false `connection` of the request is 1, which is not active; none is"
    )
  })
})

describe("rules", () => {
  test("are added, told as JSON, removed, and replaced by a plan", async () => {
    const { ask, error } = world()
    const rule = { direction: "u2c", match: { where: { "/a": 1 } }, action: { type: "inject", bytes: { hex: "00ff" } } }

    expect(await ask({ command: "rule add", rule })).toEqual({ ok: true, result: { rule: "added-1" } })
    const listed = (await ask({ command: "rule list" })).result.rules
    expect(listed).toEqual([
      {
        id: "added-1",
        direction: "leaderToClient",
        match: { where: { "/a": 1 } },
        action: { type: "inject", bytes: { hex: "00ff" }, at: "after" }
      }
    ])
    expect(await error({ command: "rule remove", rule: "added-2" })).toBe(
      'false `rule` of the request is "added-2", and there are added-1'
    )
    expect(await ask({ command: "rule remove", rule: "added-1" })).toEqual({ ok: true, result: { removed: "added-1" } })
    expect(await ask({ command: "plan", plan: { rules: listed } })).toEqual({ ok: true, result: { rules: 1 } })
    expect(await ask({ command: "plan", plan: null })).toEqual({ ok: true, result: { rules: 0 } })
  })

  test("that are none are refused with their place", async () => {
    const { error } = world()

    expect(await error({ command: "rule add" })).toBe("false `rule` of the request is missing")
    expect(await error({ command: "rule add", rule: { action: "frop" } })).toMatch(
      /^false `rule.action` of the fault plan is "frop"; /
    )
    expect(await error({ command: "plan", plan: { dropFrame: -1 } })).toMatch(
      /^false `dropFrame` of the fault plan is -1/
    )
  })
})

describe("hold and release", () => {
  // Seen to fail when the rule stays behind a release, and when every barrier has the same name.
  test("hold adds a rule for a barrier of its own, and release takes it back", async () => {
    const { ask, proxy, hold, told } = world()

    expect((await ask({ command: "hold" })).result).toEqual({ rule: "added-1", barrier: "hold-1" })
    expect((await ask({ command: "hold", direction: "c2u", match: { index: 3 }, times: 1 })).result).toEqual({
      rule: "added-2",
      barrier: "hold-2"
    })
    expect(proxy.rules()).toMatchObject([
      { direction: "both", action: { type: "hold", barrier: "hold-1" } },
      { direction: "clientToLeader", match: { index: 3 }, times: 1, action: { type: "hold", barrier: "hold-2" } }
    ])
    hold({ connection: 1, direction: "clientToLeader", index: 1, barriers: ["hold-1"] })
    expect((await ask({ command: "release", barrier: "hold-1" })).result).toEqual({ frames: 1, barriers: ["hold-1"] })
    expect(proxy.rules().map(({ id }) => id)).toEqual(["added-2"])
    expect((await ask({ command: "hold" })).result).toMatchObject({ barrier: "hold-3" })
    expect(told).toEqual(["release hold-1"])
  })

  test("release without a barrier opens those of rules and of frames", async () => {
    const { ask, proxy, hold } = world()
    proxy.setPlan({ rules: [{ action: { type: "hold", barrier: "of the plan" } }] })
    hold({ connection: 1, direction: "clientToLeader", index: 1, barriers: ["of the plan", "of a rule that is gone"] })

    expect((await ask({ command: "release" })).result).toEqual({
      frames: 1,
      barriers: ["of the plan", "of a rule that is gone"]
    })
    expect((await ask({ command: "release" })).result).toEqual({ frames: 0, barriers: [] })
    // The rule of the plan is not one of hold.
    expect(proxy.rules()).toHaveLength(1)
  })

  // Seen to fail when a frame counts once for each barrier.
  test("release counts the frames that go on", async () => {
    const { ask, hold } = world()
    hold({ connection: 1, direction: "clientToLeader", index: 1, barriers: ["a", "b"] })
    hold({ connection: 2, direction: "clientToLeader", index: 1, barriers: ["b"] })

    expect((await ask({ command: "release", barrier: "a" })).result).toEqual({ frames: 0, barriers: ["a"] })
    expect((await ask({ command: "release" })).result).toEqual({ frames: 2, barriers: ["b"] })
  })

  test("nothing can be held at a barrier that was opened", async () => {
    const { ask, error } = world()
    await ask({ command: "release", barrier: "go" })

    expect(await error({ command: "hold", barrier: "go" })).toBe(
      'false the barrier "go" was opened, and stays open; give another name'
    )
  })
})

describe("ids of rules", () => {
  // Seen to end the proxy: every event of a frame and every failure repeats them.
  test("are no longer than can be repeated", async () => {
    const { error } = world()
    const id = "x".repeat(201)
    const text = "has 201 characters; the id of a rule has at most 200"

    expect(await error({ command: "rule add", rule: { id, action: "drop" } })).toBe(
      `false \`rule.id\` of the fault plan ${text}`
    )
    expect(await error({ command: "rule remove", rule: id })).toBe(`false \`rule\` of the request ${text}`)
  })
})

describe("names of barriers", () => {
  test("that hold gives are new ones", async () => {
    const { ask, proxy } = world()
    await ask({ command: "release", barrier: "hold-1" })
    proxy.setPlan({ rules: [{ action: { type: "hold", barrier: "hold-2" } }] })

    expect((await ask({ command: "hold" })).result).toMatchObject({ barrier: "hold-3" })
  })

  test("are no longer than is kept", async () => {
    const { error } = world()
    const barrier = "x".repeat(201)
    const text = "has 201 characters; a barrier has at most 200"

    expect(await error({ command: "hold", barrier })).toBe(`false \`barrier\` of the request ${text}`)
    expect(await error({ command: "release", barrier })).toBe(`false \`barrier\` of the request ${text}`)
    expect(await error({ command: "rule add", rule: { action: { type: "hold", barrier } } })).toBe(
      `false \`rule.action.barrier\` of the fault plan ${text}`
    )
  })
})

describe("what is told", () => {
  test("are totals and the last connections", async () => {
    const { ask } = world(makeFakeProxy({ active: 300 }))

    const { result } = await ask({ command: "stats" })
    expect(result).toMatchObject({
      listen: "tcp:127.0.0.1:4010",
      upstream: "unix:/tmp/up.sock",
      seed: 7,
      totals: { active: 300 },
      forwarded: { clientToLeader: 0, leaderToClient: 0 },
      held: 0,
      rules: 0,
      leftOut: 200
    })
    expect(result.connections.map(({ id }: { readonly id: number }) => id)).toEqual(
      Array.from({ length: 100 }, (_, place) => 201 + place)
    )
    expect((await ask({ command: "stats", last: 0 })).result).toMatchObject({ connections: [], leftOut: 300 })
  })

  test("are the last events", async () => {
    const { ask, error } = world()

    expect((await ask({ command: "events" })).result.events).toHaveLength(3)
    expect((await ask({ command: "events", last: 1 })).result).toEqual({
      events: [{ type: "accepted", connection: 3, at: 2 }]
    })
    expect((await ask({ command: "events", last: 0 })).result).toEqual({ events: [] })
    expect(await error({ command: "events", last: 10_001 })).toMatch(/use a whole number from 0 to 10000$/)
  })

  test("are the commands, each with its members", async () => {
    const { commands } = (await world().ask({ command: "help" })).result

    expect(commands.map(({ command }: { readonly command: string }) => command)).toEqual(Object.keys(controlCommands))
    expect(controlCommandNames.map(controlUsage)).toContain("wait held BARRIER [MS]")
  })
})

describe("a wait", () => {
  test("is answered when it has come", async () => {
    const { ask, hold, reach } = world()
    const forwarded = ask({ command: "wait forwarded", direction: "c2u", count: 2, ms: 5 })
    const connected = ask({ command: "wait connections", count: 2 })
    const held = ask({ command: "wait held", barrier: "go" })
    const frame = { connection: 1, direction: "clientToLeader", index: 1, barriers: ["go"] } as const

    reach(2)
    hold(frame)

    expect(await forwarded).toEqual({ ok: true, result: { forwarded: { clientToLeader: 2, leaderToClient: 0 } } })
    expect(await connected).toEqual({ ok: true, result: { accepted: 2 } })
    expect(await held).toEqual({ ok: true, result: frame })
  })

  // Seen to fail when a wait that is over is counted on.
  test("is refused while too many do already", async () => {
    const { ask, error, reach } = world()
    const request = { command: "wait connections", count: 1 }
    const many = Array.from({ length: allWaitsMax }, () => ask(request))

    expect(await error(request)).toBe("false 1024 commands wait already; ask again when some of them are over")
    reach(1)
    expect((await Promise.all(many)).every(({ ok }) => ok)).toBe(true)
    expect((await ask(request)).ok).toBe(true)
  })

  test("fails when the proxy stops", async () => {
    const { ask, proxy } = world()
    const held = ask({ id: 1, command: "wait held", barrier: "go" })

    await proxy.stop()

    expect(await held).toEqual({ id: 1, ok: false, error: "the proxy was stopped" })
  })
})
