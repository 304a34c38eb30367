import { describe, expect, it } from "vitest"
import { endpointPaths } from "../../src/domain/endpoint.ts"
import {
  DuplicateExpectation,
  InferenceRequestMatcher,
  InvalidScript,
  ScriptedResponse,
  SseEvent
} from "../../src/index.ts"
import { stateOf } from "../support/promise-state.ts"
import { stream } from "../support/scripts.ts"
import { chatText, responsesText } from "../support/texts.ts"
import { startWorld } from "../support/virtual-world.ts"

const { foreground, auxiliary } = InferenceRequestMatcher
const chatTurn = foreground("ChatCompletions")

describe("an expectation", () => {
  it("leaves side calls to the echo and answers the turn it is for (scenario 5)", async () => {
    const world = startWorld()
    const handle = world.server.expectResponse("foreground turn", chatTurn, ScriptedResponse.text(209, "foreground"))

    const title = world.auxiliary("generate a title")
    expect(title.status).toBe(200)
    expect(title.header("content-type")).toBe("text/event-stream")
    expect(chatText(title.text())).toBe("Echo: generate a title")
    expect(handle.isSatisfied()).toBe(false)

    const turn = world.foreground("ChatCompletions", "turn-1", "run the task")
    expect(turn.status).toBe(209)
    expect(turn.text()).toBe("foreground")
    await handle.waitReceived()
    await handle.waitSatisfied()
  })

  it("is claimed once each by two concurrent turns (scenario 6)", () => {
    const world = startWorld()
    world.server.setChunkDelay(10)
    const first = world.server.expectResponse("first", chatTurn, ScriptedResponse.text(210, "first"))
    const second = world.server.expectResponse("second", chatTurn, ScriptedResponse.text(211, "second"))

    const left = world.foreground("ChatCompletions", "concurrent-left", "run")
    const right = world.foreground("ChatCompletions", "concurrent-right", "run")

    expect([left, right].map((call) => `${call.status} ${call.text()}`).sort()).toEqual(["210 first", "211 second"])
    expect(first.isSatisfied()).toBe(true)
    expect(second.isSatisfied()).toBe(true)
  })

  it("is passed over by requests for another endpoint, in order of registration (scenario 7)", () => {
    const world = startWorld()
    const a = world.server.expectResponse("A", foreground("Responses"), ScriptedResponse.text(200, "A"))
    const b = world.server.expectResponse("B", chatTurn, ScriptedResponse.text(200, "B"))
    const c = world.server.expectResponse("C", chatTurn, ScriptedResponse.text(200, "C"))

    expect(world.foreground("ChatCompletions", "1", "x").text()).toBe("B")
    expect(c.phase).toBe("Pending")
    expect(world.foreground("ChatCompletions", "2", "x").text()).toBe("C")

    expect([a.phase, b.phase, c.phase]).toEqual(["Pending", "Satisfied", "Satisfied"])
  })

  it("serves one request, and those beyond the number of expectations get the echo (scenario 8)", () => {
    const world = startWorld()
    for (const name of ["1", "2", "3"]) world.server.expectResponseBlocked(name, chatTurn, stream("script", "end"))

    const calls = ["a", "b", "c", "d", "e"].map((id) => world.foreground("ChatCompletions", id, "hello"))

    const sources = calls.map((call) => (call.isComplete ? chatText(call.text()) : call.text()))
    expect(sources.sort()).toEqual([
      "Echo: hello",
      "Echo: hello",
      "data: script\n\n",
      "data: script\n\n",
      "data: script\n\n"
    ])
    expect(world.server.requests()).toHaveLength(5)
  })

  it("is claimed each by two overlapping equal turns without a request id (scenario 9)", () => {
    const world = startWorld()
    const handles = ["one", "two"].map((name) =>
      world.server.expectResponseBlocked(name, chatTurn, ScriptedResponse.json(200, name))
    )

    for (const _ of handles) world.foreground("ChatCompletions", "", "same")

    expect(handles.map(({ phase, claims }) => ({ phase, claims }))).toEqual([
      { phase: "Blocked", claims: 1 },
      { phase: "Blocked", claims: 1 }
    ])
  })

  it("for side calls is claimed by one and never by a turn (scenario 10)", () => {
    const world = startWorld()
    const handle = world.server.expectResponse(
      "title",
      auxiliary("ChatCompletions"),
      ScriptedResponse.text(200, "Title")
    )

    world.foreground("ChatCompletions", "turn-1", "run")
    expect(handle.phase).toBe("Pending")

    expect(world.auxiliary("title?").text()).toBe("Title")
    expect(handle.isSatisfied()).toBe(true)
  })

  it("registered while the echo runs is claimed by the duplicate: the echo is no live call (scenario 11)", () => {
    const world = startWorld()
    world.server.setChunkDelay(100)
    const echo = world.foreground("ChatCompletions", "turn-1", "run")
    const late = world.server.expectResponse("late", chatTurn, ScriptedResponse.text(212, "late"))

    const duplicate = world.foreground("ChatCompletions", "turn-1", "run")

    expect(echo.isComplete).toBe(false)
    expect(duplicate.status).toBe(212)
    expect(late.isSatisfied()).toBe(true)
  })
})

describe("registering", () => {
  it("refuses a name in use and leaves everything as it was (scenario 12)", () => {
    const world = startWorld()
    world.server.expectResponse("duplicate", chatTurn, ScriptedResponse.text(200, "first"))

    const again = () =>
      world.server.expectResponse("duplicate", auxiliary("Messages"), ScriptedResponse.text(200, "second"))
    expect(again).toThrow(DuplicateExpectation)
    expect(again).toThrow("duplicate inference expectation name `duplicate`")

    const other = world.server.expectResponse("other", foreground("Responses"), ScriptedResponse.text(200, "other"))
    expect(world.foreground("ChatCompletions", "1", "x").text()).toBe("first")
    expect(world.foreground("Responses", "2", "x").text()).toBe("other")
    expect(other.isSatisfied()).toBe(true)
    expect(responsesText(world.foreground("Responses", "3", "hi").text())).toBe("Echo: hi ")
  })

  it("gives a name free when its call has settled, satisfied or abandoned (scenario 13)", () => {
    const world = startWorld()
    const register = () => world.server.expectResponseBlocked("name", chatTurn, ScriptedResponse.text(200, "x"))
    const first = register()
    world.foreground("ChatCompletions", "1", "x")
    expect(first.phase).toBe("Blocked")
    expect(register).toThrow(DuplicateExpectation)

    first.release()
    world.clock.settle()
    expect(first.phase).toBe("Satisfied")
    const second = register()
    world.foreground("ChatCompletions", "2", "x").leave()
    expect(second.phase).toBe("Abandoned")

    expect(register().phase).toBe("Pending")
  })

  it.each([
    ["status 99", { ...ScriptedResponse.text(99, "x") }],
    ["status 1000", ScriptedResponse.json(1000, null)],
    ["status 0", ScriptedResponse.text(0, "x")],
    ["status 200.5", ScriptedResponse.text(200.5, "x")],
    ["header name with a space", ScriptedResponse.empty(200, [["bad name", "x"]])],
    ["empty header name", ScriptedResponse.empty(200, [["", "x"]])],
    ["header value with LF", ScriptedResponse.empty(200, [["x-a", "a\nb"]])],
    ["header value beyond ASCII", ScriptedResponse.empty(200, [["x-a", "é"]])],
    ["event name with LF", ScriptedResponse.sse([SseEvent.withEvent("a\nb", "x")])],
    ["event name with CR", ScriptedResponse.sse([SseEvent.withEvent("a\rb", "x")])],
    ["event data with CR", ScriptedResponse.sse([SseEvent.data("a\rb")])],
    ["JSON that is undefined", ScriptedResponse.json(200, undefined)]
  ])("refuses a %s at once and registers nothing (scenario 14)", (_, script) => {
    const world = startWorld()
    const { server } = world
    server.expectResponse("taken", foreground("Messages"), ScriptedResponse.text(200, "x"))

    expect(() => server.expectResponse("a", chatTurn, script)).toThrow(InvalidScript)
    expect(() => server.expectResponseBlocked("a", chatTurn, script)).toThrow(InvalidScript)
    expect(() => server.enqueueResponse(endpointPaths.ChatCompletions, script)).toThrow(InvalidScript)
    // A bad script is named before a bad name.
    expect(() => server.expectResponse("taken", chatTurn, script)).toThrow(InvalidScript)

    expect(chatText(world.foreground("ChatCompletions", "1", "hello").text())).toBe("Echo: hello")
    expect(server.expectResponse("a", chatTurn, ScriptedResponse.text(200, "x")).phase).toBe("Pending")
  })

  it("copies the script, so that later edits reach nobody", () => {
    const world = startWorld()
    const script = ScriptedResponse.json(213, { list: [1] })
    script.headers.push(["x-kind", "early"])
    world.server.expectResponse("copied", chatTurn, script)

    script.status = 500
    script.headers[0] = ["x-kind", "late"]
    script.body = { kind: "raw", bytes: "late" }

    const call = world.foreground("ChatCompletions", "1", "x")
    expect(call.status).toBe(213)
    expect(call.header("x-kind")).toBe("early")
    expect(call.json()).toEqual({ list: [1] })
  })
})

describe("a handle", () => {
  it("names the expectation that nobody claimed (scenario 15)", () => {
    const { server } = startWorld()
    const handle = server.expectResponse("must receive a foreground turn", chatTurn, stream("x"))

    expect(handle.name).toBe("must receive a foreground turn")
    expect(() => handle.assertSatisfied()).toThrow(
      "inference expectation `must receive a foreground turn` was not satisfied (state: Pending)"
    )
    expect(handle.diagnostic()).toBe("inference expectation `must receive a foreground turn` (state: Pending)")
  })

  it("has level-triggered waits: early and late ones end alike, as often as they are called", async () => {
    const world = startWorld()
    const handle = world.server.expectResponse("turn", chatTurn, stream("x"))
    const early = [handle.waitReceived(), handle.waitReceived(), handle.waitSatisfied(), handle.waitClaims(1)]
    expect(await Promise.all(early.map(stateOf))).toEqual(["pending", "pending", "pending", "pending"])
    await handle.waitClaims(0)

    world.foreground("ChatCompletions", "1", "x")

    await Promise.all(early)
    await Promise.all([handle.waitReceived(), handle.waitBlocked(), handle.waitSatisfied(), handle.waitClaims(1)])
    handle.assertSatisfied()
    await expect(handle.waitClaims(2)).rejects.toThrow("settled with 1 of 2 claims (state: Satisfied)")
  })

  it("shows the log entry of its request when the wait for it returns", async () => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("turn", chatTurn, ScriptedResponse.text(200, "x"))
    const seen = handle.waitReceived().then(() => world.server.requestCount())

    world.foreground("ChatCompletions", "1", "x")

    expect(await seen).toBe(1)
  })

  it("takes a pending expectation back, and nothing that was claimed", async () => {
    const world = startWorld()
    const handle = world.server.expectResponse("turn", chatTurn, stream("x"))

    expect(handle.retire()).toBe(true)
    expect(handle.phase).toBe("Retired")
    expect(handle.retire()).toBe(false)
    expect(handle.isSatisfied()).toBe(false)
    await expect(handle.waitReceived()).rejects.toThrow("was retired before a request claimed it (state: Retired)")
    await expect(handle.waitBlocked()).rejects.toThrow("(state: Retired)")
    await expect(handle.waitSatisfied()).rejects.toThrow("(state: Retired)")
    expect(chatText(world.foreground("ChatCompletions", "1", "hi").text())).toBe("Echo: hi")

    const again = world.server.expectResponse("turn", chatTurn, stream("x"))
    world.foreground("ChatCompletions", "2", "hi")
    expect(again.retire()).toBe(false)
    expect(again.phase).toBe("Satisfied")
  })
})
