import { describe, expect, it } from "vitest"
import { inferenceEndpoints } from "../../src/domain/endpoint.ts"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { stateOf } from "../support/promise-state.ts"
import { scriptKinds, stream } from "../support/scripts.ts"
import { startWorld, type World } from "../support/virtual-world.ts"

const chatTurn = InferenceRequestMatcher.foreground("ChatCompletions")

/** The phases of an expectation as they were published. */
const phasesOf = ({ server }: World, name: string): ReadonlyArray<string> =>
  server.traceEvents().flatMap((event) => (event.type === "phase" && event.expectation === name ? [event.phase] : []))

describe("a blocked stream", () => {
  it("has sent its head and all events but the last; disposing the handle lets it finish (scenario 16)", async () => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("turn", chatTurn, stream('{"chunk":1}', "done"))

    const call = world.foreground("ChatCompletions", "1", "x")
    await handle.waitBlocked()

    expect(call.status).toBe(200)
    expect(call.header("content-type")).toBe("text/event-stream")
    expect(call.header("cache-control")).toBe("no-cache")
    expect(call.text()).toBe('data: {"chunk":1}\n\n')
    expect(handle.isSatisfied()).toBe(false)
    expect(handle.diagnostic()).toBe("inference expectation `turn` (state: Blocked)")

    handle[Symbol.dispose]()
    world.clock.settle()
    expect(call.isComplete).toBe(true)
    expect(call.text()).toBe('data: {"chunk":1}\n\ndata: done\n\n')
  })

  it("finishes when the scope of its handle is left, in both ways of disposing", async () => {
    const world = startWorld()
    const open = (name: string) => world.server.expectResponseBlocked(name, chatTurn, stream("x"))
    const calls = []
    {
      using first = open("first")
      calls.push(world.foreground("ChatCompletions", "1", "x"))
      expect(first.phase).toBe("Blocked")
    }
    {
      await using second = open("second")
      calls.push(world.foreground("ChatCompletions", "2", "x"))
      expect(second.phase).toBe("Blocked")
    }

    world.clock.settle()

    expect(calls.map((call) => call.isComplete)).toEqual([true, true])
  })
})

describe.each(inferenceEndpoints)("a barrier on %s", (endpoint) => {
  it.each(scriptKinds)("holds %s until it is released (scenario 17)", async (_, script) => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("turn", InferenceRequestMatcher.foreground(endpoint), script())

    const call = world.foreground(endpoint, "1", "x")
    await handle.waitBlocked()
    world.clock.advance(10_000)
    expect(call.isComplete).toBe(false)

    handle.release()
    world.clock.settle()
    expect(call.status).toBe(200)
    expect(call.isComplete).toBe(true)
    await handle.waitSatisfied()
  })
})

describe("a barrier", () => {
  it("holds JSON and raw text before the status line, and a stream of one event after its head (scenario 18)", () => {
    const world = startWorld()
    const scripts = [ScriptedResponse.json(200, {}), ScriptedResponse.text(200, "x"), stream("only"), stream()]
    scripts.forEach((script, index) => void world.server.expectResponseBlocked(`${index}`, chatTurn, script))

    const calls = scripts.map((_, index) => world.foreground("ChatCompletions", `${index}`, "x"))

    expect(calls.map(({ status }) => status)).toEqual([null, null, 200, 200])
    expect(calls.map((call) => call.text())).toEqual(["", "", "", ""])
  })

  it("is released now and crossed later in the same moment (scenario 19)", async () => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("turn", chatTurn, stream("x"))
    const call = world.foreground("ChatCompletions", "1", "x")

    handle.release()
    expect(handle.isSatisfied()).toBe(false)
    expect(handle.phase).toBe("Blocked")

    world.clock.settle()
    expect(call.isComplete).toBe(true)
    expect(handle.isSatisfied()).toBe(true)
    await handle.waitBlocked()
  })

  it("that is released before any request makes nobody wait and still shows (scenario 20)", async () => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("turn", chatTurn, stream("a", "b"))
    handle.release()
    handle.release()

    const call = world.foreground("ChatCompletions", "1", "x")

    expect(call.isComplete).toBe(true)
    await handle.waitBlocked()
    expect(phasesOf(world, "turn")).toEqual(["Received", "Blocked", "Satisfied"])
  })

  it("that was never asked for never shows: waitBlocked returns with the end (scenario 21)", async () => {
    const world = startWorld()
    world.server.setChunkDelay(100)
    const handle = world.server.expectResponse("turn", chatTurn, stream("a", "b"))
    const blocked = handle.waitBlocked()

    world.foreground("ChatCompletions", "1", "x")
    expect(await stateOf(blocked)).toBe("pending")

    world.clock.advance(200)
    await blocked
    expect(phasesOf(world, "turn")).toEqual(["Received", "Satisfied"])
  })

  it("is its expectation's own: another one stays blocked (scenario 22)", () => {
    const world = startWorld()
    const a = world.server.expectResponseBlocked("A", chatTurn, stream("x"))
    const b = world.server.expectResponseBlocked("B", chatTurn, stream("x"))
    for (const id of ["1", "2"]) world.foreground("ChatCompletions", id, "x")

    a.release()
    world.clock.advance(60_000)

    expect([a.phase, b.phase]).toEqual(["Satisfied", "Blocked"])
  })

  it("opens with the disposal of an unclaimed handle, and the script is served all the same (scenario 23)", () => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("turn", chatTurn, ScriptedResponse.text(217, "script"))
    handle[Symbol.dispose]()

    const call = world.foreground("ChatCompletions", "1", "x")

    expect([call.status, call.text(), call.isComplete]).toEqual([217, "script", true])
    expect(handle.isSatisfied()).toBe(true)
  })

  it("is the only one of a matched stream: the completion gate is not asked (scenario 24)", () => {
    const world = startWorld()
    world.server.holdAgentCompletions()
    world.server.expectResponse("free", chatTurn, stream("a", "b"))
    const free = world.foreground("ChatCompletions", "1", "x")
    expect(free.isComplete).toBe(true)

    world.server.releaseAgentCompletions()
    const handle = world.server.expectResponseBlocked("barred", chatTurn, stream("a", "b"))
    const barred = world.foreground("ChatCompletions", "2", "x")
    world.clock.advance(60_000)
    expect(barred.isComplete).toBe(false)
    expect(handle.phase).toBe("Blocked")
  })
})
