import { describe, expect, it } from "vitest"
import { endpointPaths } from "../../src/domain/endpoint.ts"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { jsonRequest } from "../support/requests.ts"
import { stream } from "../support/scripts.ts"
import { startWorld } from "../support/virtual-world.ts"

const chatTurn = InferenceRequestMatcher.foreground("ChatCompletions")

describe("an answer in the log", () => {
  it("says its source, its expectation and the bytes that were served", () => {
    const world = startWorld({ token: "key" })
    world.server.setAgentTurns(["turn"])
    world.server.expectResponse("matched", chatTurn, ScriptedResponse.text(209, "é!"))
    world.server.enqueueResponse(endpointPaths.ChatCompletions, stream("a", "b"))
    const key = { headers: { authorization: "Bearer key" } }

    world.foreground("ChatCompletions", "1", "x")
    world.foreground("ChatCompletions", "2", "x")
    world.foreground("ChatCompletions", "3", "x")
    world.foreground("ChatCompletions", "4", "x", key)
    const echo = world.foreground("ChatCompletions", "5", "x", key)
    world.get("/v1/models")

    const answers = world.server.requests().map(({ answer }) => answer)
    expect(answers.map(({ source, expectation, status }) => [source, expectation, status])).toEqual([
      ["expectation", "matched", 209],
      ["queue", null, 200],
      ["unauthorized", null, 401],
      ["turn", null, 200],
      ["mode", null, 200],
      ["resource", null, 200]
    ])
    expect(answers.map(({ settled, outcome }) => [settled, outcome])).toEqual(Array(6).fill(["crossed", "completed"]))
    expect([answers[0]?.text, answers[0]?.bytes, answers[0]?.events]).toEqual(["é!", 3, 0])
    expect([answers[1]?.text, answers[1]?.events]).toEqual(["data: a\n\ndata: b\n\n", 2])
    expect(answers[4]?.text).toBe(echo.text())
  })

  it("names the call that a replay joined", () => {
    const world = startWorld()
    world.server.expectResponseBlocked("call", chatTurn, stream("a", "b"))
    for (const _ of [1, 2]) world.foreground("ChatCompletions", "id", "x")

    const answers = world.server.requests().map(({ answer }) => answer)
    expect(answers.map(({ source, expectation }) => [source, expectation])).toEqual([
      ["expectation", "call"],
      ["replay", "call"]
    ])
    expect(answers.map(({ settled, outcome, text }) => [settled, outcome, text])).toEqual(
      Array(2).fill([null, null, "data: a\n\n"])
    )
  })

  it("leaves keep-alive comments out of what was served", () => {
    const world = startWorld()
    world.server.expectResponseBlocked("call", chatTurn, stream("a", "b"))
    world.foreground("ChatCompletions", "id", "x")

    world.clock.advance(60_000)

    expect(world.server.requests()[0]?.answer).toMatchObject({ text: "data: a\n\n", bytes: 9, events: 1 })
  })

  it.each([
    ["end", "completed"],
    ["fin", "reset"],
    ["rst", "reset"],
    ["halfClose", "reset"],
    ["stall", "stalled"]
  ] as const)("with ending %s is %s, and it crossed", (ending, outcome) => {
    const world = startWorld()
    const handle = world.server.expectResponse("call", chatTurn, { ...stream("a"), ending })

    const call = world.foreground("ChatCompletions", "id", "x")

    expect(world.server.requests()[0]?.answer).toMatchObject({ settled: "crossed", outcome, text: "data: a\n\n" })
    expect(handle.isSatisfied()).toBe(true)
    expect(call.response.ended).toBe(ending === "stall" ? null : ending)
    expect(call.isComplete).toBe(ending === "end")
  })

  it("that hung up before its head has no status", () => {
    const world = startWorld()
    const handle = world.server.expectResponse("call", chatTurn, ScriptedResponse.hangUp("rst"))

    const call = world.foreground("ChatCompletions", "id", "x")

    expect([call.status, call.response.ended]).toEqual([null, "rst"])
    expect(world.server.requests()[0]?.answer).toMatchObject({ status: null, bytes: 0, outcome: "reset" })
    expect(handle.isSatisfied()).toBe(true)
  })

  it("is cancelled where the client left before the end, and shows what it had got", () => {
    const world = startWorld()
    world.server.setChunkDelay(100)
    const handle = world.server.expectResponse("call", chatTurn, stream("a", "b"))
    const call = world.foreground("ChatCompletions", "id", "x")
    world.clock.advance(150)

    call.leave()

    expect(world.server.requests()[0]?.answer).toMatchObject({
      settled: "cancelled",
      outcome: "client_closed",
      text: "data: a\n\n"
    })
    expect(handle.phase).toBe("Abandoned")
    expect(world.clock.armed()).toBe(0)
  })

  it("is written on when the reader makes room, stretch by stretch", () => {
    const world = startWorld()
    const big = "x".repeat(30_000)
    world.server.enqueueResponse(endpointPaths.ChatCompletions, stream(big, big, big, big))
    const call = world.send(jsonRequest(endpointPaths.ChatCompletions, {}), { windowBytes: 50_000 })

    const eventsSoFar = () => world.server.requests()[0]?.answer.events
    expect(eventsSoFar()).toBe(2)
    expect(call.isComplete).toBe(false)

    call.response.read()
    world.clock.settle()
    call.response.read()
    world.clock.settle()
    expect([eventsSoFar(), call.isComplete]).toEqual([4, true])
  })
})
