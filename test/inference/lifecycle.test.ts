import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, InvalidOption, ScriptedResponse } from "../../src/index.ts"
import { makeVirtualClock } from "../../src/sim.ts"
import { stateOf } from "../support/promise-state.ts"
import { stream } from "../support/scripts.ts"
import { startWorld, type World } from "../support/virtual-world.ts"

const chatTurn = InferenceRequestMatcher.foreground("ChatCompletions")

/** Closes and lets happen what is due. */
const close = (world: World, options?: { readonly drainMs?: number }) => {
  const closing = world.server.close(options)
  world.clock.settle()
  return closing
}

describe("a server", () => {
  it("shares nothing with another one (scenario 69)", () => {
    const clock = makeVirtualClock()
    const [one, two] = [startWorld({ clock, port: 4001 }), startWorld({ clock, port: 4002 })]
    one.server.setResponse("one")
    one.server.holdAgentCompletions()
    one.server.enqueueResponse("/v1/messages", ScriptedResponse.text(200, "x"))
    one.auxiliary("x")

    expect([one.server.requestCount(), two.server.requestCount()]).toEqual([1, 0])
    expect(two.foreground("Messages", "1", "x").text()).toContain("Echo: x")
    expect([one.server.url(), two.server.url()]).toEqual(["http://127.0.0.1:4001/v1", "http://127.0.0.1:4002/v1"])
    expect(one.server.origin()).toBe("http://127.0.0.1:4001")
  })

  it("has seen no request right after its start (scenario 71)", () => {
    const { server } = startWorld()

    expect([server.requestCount(), server.requests(), server.traceEvents().length > 0]).toEqual([0, [], true])
  })

  it.each([
    [{ port: -1 }, "port is -1; use a whole number from 0 to 65535"],
    [{ port: 65_536 }, "port is 65536"],
    [{ port: 1.5 }, "port is 1.5"],
    [{ host: "" }, 'host is ""; use an address of this machine, for example "127.0.0.1"'],
    [{ token: "" }, "the required key is empty; leave it out to require none"],
    [{ profile: JSON.parse('"huge"') }, 'profile is "huge"; use "full" or "compact"']
  ])("does not start with %o", (options, message) => {
    expect(() => startWorld(options)).toThrow(InvalidOption)
    expect(() => startWorld(options)).toThrow(message)
  })
})

describe("closing", () => {
  it("refuses new connections and lets a held answer run on until it is released (scenario 70)", async () => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("turn", chatTurn, stream("a", "b"))
    const call = world.foreground("ChatCompletions", "1", "x")

    const closing = close(world, { drainMs: 10_000 })
    expect(() => world.auxiliary("new")).toThrow("connection refused")
    world.clock.advance(9_999)
    expect(await stateOf(closing)).toBe("pending")

    handle.release()
    world.clock.settle()
    expect(await closing).toEqual({ blocked: [] })
    expect([call.isComplete, handle.isSatisfied()]).toEqual([true, true])
    expect([world.http.connections(), world.clock.armed()]).toEqual([0, 0])
  })

  it("by force cancels the copy, abandons its expectation, and says what it was (scenario 70)", async () => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("turn", chatTurn, stream("a", "b"))
    const call = world.foreground("ChatCompletions", "1", "x")
    const received = handle.waitReceived()
    const satisfied = handle.waitSatisfied()
    satisfied.catch(() => {})

    const report = await close(world, { drainMs: 0 })

    expect(report.blocked).toHaveLength(1)
    expect(report.blocked[0]).toContain("waits at barrier `terminal`")
    expect([call.isComplete, call.text(), call.response.ended]).toEqual([false, "data: a\n\n", "fin"])
    expect(handle.phase).toBe("Abandoned")
    await received
    await expect(satisfied).rejects.toThrow("inference expectation `turn` was abandoned")
    expect([world.http.connections(), world.clock.armed()]).toEqual([0, 0])
  })

  it("forces after one second, unless told otherwise", async () => {
    const world = startWorld()
    world.server.expectResponseBlocked("turn", chatTurn, stream("a", "b"))
    world.foreground("ChatCompletions", "1", "x")

    const closing = close(world)
    world.clock.advance(999)
    expect(await stateOf(closing)).toBe("pending")
    world.clock.advance(1)

    expect((await closing).blocked).toHaveLength(1)
  })

  it("names each answer that it cut: its request, its expectation, and where it stood", async () => {
    const world = startWorld()
    world.server.expectResponseBlocked("first turn", chatTurn, stream("a", "b"))
    world.server.holdAgentCompletions()
    world.server.setHang(true)
    world.foreground("ChatCompletions", "1", "x")
    world.foreground("Messages", "2", "x")
    world.get("/v1/models")
    world.server.setChunkDelay(60_000)
    world.auxiliary("slow")

    const { blocked } = await close(world, { drainMs: 0 })

    expect(blocked).toEqual([
      "POST /v1/chat/completions (expectation `first turn`) waits at barrier `terminal`",
      "POST /v1/messages waits at barrier `completion`",
      "GET /v1/models is stalled",
      "POST /v1/chat/completions waits 60000 ms before its next event"
    ])
  })

  it("rejects every outstanding wait with name and phase, and those that come later", async () => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("nobody came", chatTurn, stream("a"))
    const waits = [handle.waitReceived(), handle.waitBlocked(), handle.waitSatisfied(), handle.waitClaims(1)]
    for (const wait of waits) wait.catch(() => {})

    await close(world)

    for (const wait of [...waits, handle.waitReceived(), handle.waitSatisfied()]) {
      await expect(wait).rejects.toMatchObject({
        name: "ExpectationFailed",
        expectation: "nobody came",
        phase: "Pending",
        message: expect.stringContaining("`nobody came` can no longer")
      })
    }
    expect(handle.diagnostic()).toBe("inference expectation `nobody came` (state: Pending)")
  })

  it("twice gives the same report, and the second call may shorten the wait", async () => {
    const world = startWorld()
    world.server.expectResponseBlocked("turn", chatTurn, stream("a", "b"))
    world.foreground("ChatCompletions", "1", "x")

    const first = close(world, { drainMs: 60_000 })
    expect(await stateOf(first)).toBe("pending")
    const second = close(world, { drainMs: 0 })

    expect(await second).toEqual(await first)
    expect((await close(world)).blocked).toHaveLength(1)
  })

  it("ends idle connections at once, and each other one when its answer is out", async () => {
    const world = startWorld()
    world.server.setChunkDelay(100)
    const idle = world.http.connect()
    const busy = world.auxiliary("ping pong")

    const closing = close(world)
    expect([idle.isOpen, world.http.connections()]).toEqual([false, 1])
    world.clock.advance(500)

    expect(await closing).toEqual({ blocked: [] })
    expect([busy.isComplete, world.http.connections(), world.clock.armed()]).toEqual([true, 0, 0])
  })

  it("is what leaving the scope of a server does", async () => {
    const world = startWorld()
    {
      await using server = world.server
      server.setResponse("x")
      // The scope waits for the end, which needs the clock to move.
      queueMicrotask(() => world.clock.settle())
    }

    expect(() => world.auxiliary("x")).toThrow("connection refused")
  })

  it("leaves handles and accessors usable", async () => {
    const world = startWorld()
    const handle = world.server.expectResponse("turn", chatTurn, stream("a"))
    world.foreground("ChatCompletions", "1", "x")
    await close(world)

    handle.release()
    handle.assertSatisfied()
    expect(world.server.requestCount()).toBe(1)
    expect(world.server.traceEvents()).toContainEqual(expect.objectContaining({ type: "closed", blocked: [] }))
  })

  it.each([-1, Number.NaN, 2 ** 31])("does not take %s milliseconds", async (drainMs) => {
    await expect(close(startWorld(), { drainMs })).rejects.toThrow(InvalidOption)
  })

  it("may wait for ever", async () => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("turn", chatTurn, stream("a", "b"))
    world.foreground("ChatCompletions", "1", "x")
    const closing = close(world, { drainMs: Number.POSITIVE_INFINITY })
    world.clock.advance(10 * 24 * 3_600_000)
    expect(await stateOf(closing)).toBe("pending")

    handle.release()
    world.clock.settle()

    expect(await closing).toEqual({ blocked: [] })
    expect(world.clock.armed()).toBe(0)
  })
})
