import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, InvalidOption, InvalidScript, ScriptedResponse } from "../../src/index.ts"
import { stateOf } from "../support/promise-state.ts"
import { stream } from "../support/scripts.ts"
import { startWorld } from "../support/virtual-world.ts"

const chatTurn = InferenceRequestMatcher.foreground("ChatCompletions")
const finish = JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })

/** A stream of five events: two words, the finish chunk, usage, the terminal mark. */
const chatStream = () => stream("one", "two", finish, "usage", "[DONE]")

describe("a barrier at a position", () => {
  it.each([
    ["head", "head" as const, null, ""],
    ["afterEvent(0)", { afterEvent: 0 }, 200, ""],
    ["afterEvent(1)", { afterEvent: 1 }, 200, "data: one\n\n"],
    ["semanticEnd", "semanticEnd" as const, 200, "data: one\n\ndata: two\n\n"],
    ["afterEvent(4)", { afterEvent: 4 }, 200, `data: one\n\ndata: two\n\ndata: ${finish}\n\ndata: usage\n\n`],
    ["terminal", "terminal" as const, 200, `data: one\n\ndata: two\n\ndata: ${finish}\n\ndata: usage\n\n`]
  ])("%s is called after it and holds what comes next", async (name, at, status, text) => {
    const world = startWorld()
    const handle = world.server.expectResponse("turn", chatTurn, chatStream(), { barriers: [{ at }] })

    const call = world.foreground("ChatCompletions", "1", "x")
    await handle.waitBlocked(name)
    expect([call.status, call.text(), call.isComplete]).toEqual([status, text, false])

    handle.release(name)
    world.clock.settle()
    expect(call.isComplete).toBe(true)
    expect(call.events()).toHaveLength(5)
    expect(handle.isSatisfied()).toBe(true)
  })

  it("holds the whole of a JSON answer at head and at terminal", () => {
    const world = startWorld()
    const handle = world.server.expectResponse("turn", chatTurn, ScriptedResponse.json(200, {}), {
      barriers: [{ at: "head" }, { at: "terminal" }]
    })
    const call = world.foreground("ChatCompletions", "1", "x")

    handle.release("head")
    world.clock.settle()
    expect(call.status).toBeNull()

    handle.release("terminal")
    world.clock.settle()
    expect(call.isComplete).toBe(true)
  })

  it("stands before the cut where an answer ends with one", () => {
    const world = startWorld()
    const script = { ...stream("one", "two"), ending: "rst" as const }
    const handle = world.server.expectResponseBlocked("turn", chatTurn, script)

    const call = world.foreground("ChatCompletions", "1", "x")
    expect(call.text()).toBe("data: one\n\ndata: two\n\n")
    expect(call.response.ended).toBeNull()

    handle.release()
    world.clock.settle()
    expect(call.response.ended).toBe("rst")
    expect(handle.isSatisfied()).toBe(true)
  })
})

describe("several barriers in one answer", () => {
  const open = () => {
    const world = startWorld()
    const handle = world.server.expectResponse("turn", chatTurn, chatStream(), {
      barriers: [{ at: "head", name: "before anything" }, { at: { afterEvent: 1 } }, { at: "terminal", name: "end" }]
    })
    return { world, handle }
  }

  it("are passed one after the other, each by its name, and Blocked is published once", async () => {
    const { world, handle } = open()
    const last = handle.waitBlocked("end")
    const call = world.foreground("ChatCompletions", "1", "x")
    await handle.waitBlocked()
    await handle.waitBlocked("before anything")
    expect(call.status).toBeNull()

    handle.release("before anything")
    world.clock.settle()
    await handle.waitBlocked("afterEvent(1)")
    expect(call.text()).toBe("data: one\n\n")
    expect(await stateOf(last)).toBe("pending")

    handle.release("afterEvent(1)")
    world.clock.settle()
    await last
    expect(call.events()).toHaveLength(4)

    handle.release("end")
    world.clock.settle()
    expect(call.isComplete).toBe(true)
    const phases = world.server.traceEvents().flatMap((event) => (event.type === "phase" ? [event.phase] : []))
    expect(phases).toEqual(["Received", "Blocked", "Satisfied"])
  })

  it("all open with a release without a name", () => {
    const { world, handle } = open()
    const call = world.foreground("ChatCompletions", "1", "x")

    handle.release()
    world.clock.settle()

    expect(call.isComplete).toBe(true)
  })

  it("may be opened in any order, also before the request", () => {
    const { world, handle } = open()
    handle.release("end")
    handle.release("before anything")
    const call = world.foreground("ChatCompletions", "1", "x")
    expect(call.text()).toBe("data: one\n\n")

    handle.release("afterEvent(1)")
    world.clock.settle()

    expect(call.isComplete).toBe(true)
  })

  it("are shared by all copies of the call", () => {
    const { world, handle } = open()
    const calls = [1, 2, 3].map(() => world.foreground("ChatCompletions", "same", "x"))

    handle.release("before anything")
    world.clock.settle()
    expect(calls.map((call) => call.text())).toEqual(Array(3).fill("data: one\n\n"))

    handle.release()
    world.clock.settle()
    expect(calls.map((call) => call.isComplete)).toEqual([true, true, true])
    expect(handle.claims).toBe(3)
  })

  it("reject the wait for one that will not be reached any more", async () => {
    const { world, handle } = open()
    const reached = handle.waitBlocked("before anything")
    const missed = handle.waitBlocked("end")
    missed.catch(() => {})

    world.foreground("ChatCompletions", "1", "x").leave()

    await reached
    await expect(missed).rejects.toMatchObject({ name: "ExpectationFailed", expectation: "turn", phase: "Abandoned" })
  })
})

describe("a barrier that cannot be", () => {
  it.each([
    ["after more events than there are", stream("a", "b"), [{ at: { afterEvent: 2 } }], "use 0 to 1, or `terminal`"],
    ["after minus one event", stream("a"), [{ at: { afterEvent: -1 } }], "no position afterEvent(-1)"],
    ["after half an event", stream("a", "b"), [{ at: { afterEvent: 0.5 } }], "no position afterEvent(0.5)"],
    ["at the semantic end of a stream without one", stream("a"), [{ at: "semanticEnd" as const }], "no semantic end"],
    [
      "after an event of a JSON body",
      ScriptedResponse.json(200, 1),
      [{ at: { afterEvent: 0 } }],
      "a json body has no position afterEvent(0); it can wait at `head` or `terminal`"
    ],
    [
      "at the semantic end of raw text",
      ScriptedResponse.text(200, "x"),
      [{ at: "semanticEnd" as const }],
      "a raw body has no position semanticEnd"
    ],
    [
      "of a name that another has",
      stream("a"),
      [{ at: "head" as const }, { at: "terminal" as const, name: "head" }],
      "two barriers are called `head`"
    ]
  ])("%s is refused at registration, and nothing is registered", (_, script, barriers, message) => {
    const { server } = startWorld()

    const register = () => server.expectResponse("turn", chatTurn, script, { barriers })

    expect(register).toThrow(InvalidScript)
    expect(register).toThrow(message)
    expect(server.expectResponse("turn", chatTurn, script).phase).toBe("Pending")
  })

  it("is named where it is waited for or released", async () => {
    const { server } = startWorld()
    const handle = server.expectResponseBlocked("turn", chatTurn, stream("a"))

    expect(() => handle.release("middle")).toThrow(InvalidOption)
    expect(() => handle.release("middle")).toThrow("expectation `turn` has no barrier `middle`; it has `terminal`")
    await expect(handle.waitBlocked("middle")).rejects.toThrow(InvalidOption)
    await expect(handle.waitClaims(-1)).rejects.toThrow(InvalidOption)
  })
})
