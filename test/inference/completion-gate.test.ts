import { describe, expect, it } from "vitest"
import { endpointPaths, inferenceEndpoints } from "../../src/domain/endpoint.ts"
import { ScriptedResponse } from "../../src/index.ts"
import { stream } from "../support/scripts.ts"
import { chatText, textOf } from "../support/texts.ts"
import { startWorld } from "../support/virtual-world.ts"

/** Events of the answer `X` in profile compact. */
const eventsOf = { ChatCompletions: 3, Responses: 4, Messages: 6 }

describe("a held completion gate", () => {
  it.each(inferenceEndpoints)("keeps the last event of an agent turn on %s (scenario 45)", (endpoint) => {
    const world = startWorld()
    world.server.holdAgentCompletions()
    world.server.holdAgentCompletions()
    world.server.setAgentTurns(["X"])

    const call = world.foreground(endpoint, "1", "x")
    world.clock.advance(50)
    expect(call.isComplete).toBe(false)
    expect(call.events()).toHaveLength(eventsOf[endpoint] - 1)
    expect(textOf[endpoint](call.text())).toBe("X")

    world.server.releaseAgentCompletions()
    world.server.releaseAgentCompletions()
    world.clock.settle()
    expect(call.isComplete).toBe(true)
    expect(call.events()).toHaveLength(eventsOf[endpoint])
  })

  it.each(inferenceEndpoints)("keeps the last event of a queued stream on %s (scenario 45)", (endpoint) => {
    const world = startWorld()
    world.server.holdAgentCompletions()
    world.server.enqueueResponse(endpointPaths[endpoint], stream("chunk", "terminal"))
    world.server.enqueueResponse(endpointPaths[endpoint], stream())

    const call = world.foreground(endpoint, "1", "x")
    const empty = world.foreground(endpoint, "2", "x")
    world.clock.advance(50)
    expect([call.isComplete, call.text()]).toEqual([false, "data: chunk\n\n"])
    expect([empty.isComplete, empty.status]).toEqual([false, 200])

    world.server.releaseAgentCompletions()
    world.clock.settle()
    expect([call.isComplete, call.text()]).toEqual([true, "data: chunk\n\ndata: terminal\n\n"])
    expect(empty.isComplete).toBe(true)
  })

  it("does not concern queued JSON and raw text, side calls and refusals (scenario 46)", () => {
    const world = startWorld({ token: "key" })
    world.server.holdAgentCompletions()
    const chat = endpointPaths.ChatCompletions
    world.server.enqueueResponse(chat, ScriptedResponse.json(219, {}))
    world.server.enqueueResponse(chat, ScriptedResponse.text(220, "raw"))
    world.server.enqueueResponse(chat, stream("side", "call"))

    const calls = [
      world.foreground("ChatCompletions", "1", "x"),
      world.foreground("ChatCompletions", "2", "x"),
      world.auxiliary("queued"),
      world.auxiliary("echo", { headers: { authorization: "Bearer key" } }),
      world.foreground("ChatCompletions", "3", "x")
    ]

    expect(calls.map(({ status, isComplete }) => [status, isComplete])).toEqual([
      [219, true],
      [220, true],
      [200, true],
      [200, true],
      [401, true]
    ])
    expect(chatText(calls[3]?.text() ?? "")).toBe("Echo: echo")
  })

  it("stops a stream that is already running before its last event (scenario 47)", () => {
    const world = startWorld()
    world.server.setChunkDelay(100)
    const call = world.foreground("ChatCompletions", "1", "ping pong")
    world.clock.advance(200)

    world.server.holdAgentCompletions()
    world.clock.advance(10_000)
    expect([call.events().length, call.isComplete]).toEqual([4, false])

    world.server.releaseAgentCompletions()
    world.clock.settle()
    expect(call.isComplete).toBe(true)
  })

  it("lets go who waits when it opens and closes in one turn of the loop; later ones wait (scenario 47)", () => {
    const world = startWorld()
    world.server.holdAgentCompletions()
    const waiting = [1, 2].map((id) => world.foreground("ChatCompletions", `${id}`, "x"))

    world.server.releaseAgentCompletions()
    world.server.holdAgentCompletions()
    const later = world.foreground("ChatCompletions", "3", "x")
    world.clock.advance(60_000)

    expect(waiting.map((call) => call.isComplete)).toEqual([true, true])
    expect(later.isComplete).toBe(false)
  })

  it("is left by a client that goes away", () => {
    const world = startWorld()
    world.server.holdAgentCompletions()
    const call = world.foreground("ChatCompletions", "1", "x")

    call.leave()
    world.server.releaseAgentCompletions()
    world.clock.settle()

    expect(world.server.requests()[0]?.answer).toMatchObject({ settled: "cancelled", outcome: "client_closed" })
    expect(world.clock.armed()).toBe(0)
  })
})
