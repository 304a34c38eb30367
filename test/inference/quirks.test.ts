import { describe, expect, it } from "vitest"
import { endpointPaths } from "../../src/domain/endpoint.ts"
import { InferenceRequestMatcher, InvalidScript, ScriptedResponse, SseEvent } from "../../src/index.ts"
import { stream } from "../support/scripts.ts"
import { startWorld } from "../support/virtual-world.ts"

const chatTurn = InferenceRequestMatcher.foreground("ChatCompletions")
const text = (body: string) => ScriptedResponse.text(200, body)

/** Where the reference implementation surprised, this is what is wanted instead. */
describe("instead of a quirk of the reference", () => {
  it("a duplicate name has no side effect (Q1)", () => {
    const world = startWorld()
    world.server.expectResponse("name", chatTurn, text("first"))
    expect(() => world.server.expectResponse("name", chatTurn, text("second"))).toThrow()

    expect(world.foreground("ChatCompletions", "1", "x").text()).toBe("first")
    expect(world.foreground("ChatCompletions", "2", "x").status).toBe(200)
  })

  it("a name stays reserved until its call has settled, also without a request id (Q2)", () => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("name", chatTurn, text("first"))
    world.foreground("ChatCompletions", "", "x")
    expect(() => world.server.expectResponse("name", chatTurn, text("second"))).toThrow("duplicate")

    handle.release()
    world.clock.settle()
    expect(world.server.expectResponse("name", chatTurn, text("second")).phase).toBe("Pending")
  })

  it("a call that its client left is Abandoned for good, and waits for more reject (Q3)", async () => {
    const world = startWorld()
    const early = world.server.expectResponse("early", chatTurn, text("x"), { barriers: [{ at: "head" }] })
    const paced = world.server.expectResponseBlocked("paced", chatTurn, stream("a", "b"))
    world.foreground("ChatCompletions", "1", "x").leave()
    world.server.setChunkDelay(100)
    world.foreground("ChatCompletions", "2", "x").leave()

    await early.waitReceived()
    await early.waitBlocked()
    await expect(early.waitSatisfied()).rejects.toThrow("`early` was abandoned before it was satisfied")
    await paced.waitReceived()
    await expect(paced.waitBlocked()).rejects.toThrow("`paced` was abandoned before it reached its barrier")
    expect([early.isSatisfied(), early.diagnostic()]).toEqual([
      false,
      "inference expectation `early` (state: Abandoned)"
    ])
    expect(() => paced.assertSatisfied()).toThrow("was not satisfied (state: Abandoned)")
    await expect(paced.waitClaims(2)).rejects.toThrow("settled with 1 of 2 claims")
  })

  it("names of events are checked at registration (Q4)", () => {
    const { server } = startWorld()
    const script = ScriptedResponse.sse([SseEvent.withEvent("a\r\nb", "x")])

    expect(() => server.expectResponse("name", chatTurn, script)).toThrow(InvalidScript)
  })

  it("a session called responses is no responses request, and no system prompt is read from it (Q5)", () => {
    const world = startWorld()
    world.post("/v1/chat/completions", { messages: [{ role: "system", content: "be brief" }] })
    world.post("/sessions/responses/data", { instructions: "never" })

    expect(world.server.hasResponsesRequest()).toBe(false)
    expect(world.server.lastSystemPrompt()).toBe("be brief")
  })

  it("the order of keys makes no other call (Q6)", () => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("call", chatTurn, text("x"))
    for (const body of ['{"a":{"x":1,"y":2},"b":3}', '{"b":3,"a":{"y":2,"x":1}}']) {
      world.post(endpointPaths.ChatCompletions, body, [
        ["x-grok-req-id", "id"],
        ["x-grok-turn-idx", "1"]
      ])
    }

    expect(handle.claims).toBe(2)
  })

  it("a hang ends with the server only (Q7)", async () => {
    const world = startWorld()
    world.server.setHang(true)
    const hung = world.get("/v1/models")
    world.clock.advance(3_700_000)
    expect([hung.status, hung.response.ended]).toEqual([null, null])

    const closing = world.server.close({ drainMs: 0 })
    world.clock.settle()
    await closing
    expect(hung.response.ended).toBe("fin")
  })

  it("a short opening of the gate is never lost (Q8)", () => {
    const world = startWorld()
    world.server.holdAgentCompletions()
    const call = world.foreground("ChatCompletions", "1", "x")
    for (const _ of [1, 2, 3]) {
      world.server.releaseAgentCompletions()
      world.server.holdAgentCompletions()
    }

    world.clock.settle()

    expect(call.isComplete).toBe(true)
  })

  it.each([204, 304])("a stream with status %s crosses with its head, after the barrier (Q9)", (status) => {
    const world = startWorld()
    const script = { ...stream("a", "b"), status }
    const handle = world.server.expectResponseBlocked("call", chatTurn, script)
    const call = world.foreground("ChatCompletions", "1", "x")
    expect([call.status, handle.phase]).toEqual([null, "Blocked"])

    handle.release()
    world.clock.settle()

    expect([call.status, call.text(), call.isComplete]).toEqual([status, "", true])
    expect(call.header("content-length")).toBeUndefined()
    expect(handle.isSatisfied()).toBe(true)
  })

  it("both lines of a named event are in its frame, in whatever order (Q10)", () => {
    const world = startWorld()
    world.server.expectResponse("call", chatTurn, ScriptedResponse.sse([SseEvent.withEvent("kind", "1")]))

    const lines = world.foreground("ChatCompletions", "1", "x").text().split("\n")

    expect(lines.sort()).toEqual(["", "", "data: 1", "event: kind"])
  })

  it("list and count of the log change in one step, and claims follow their order (Q11, Q12)", () => {
    const world = startWorld()
    const counts: Array<readonly [number, number]> = []
    world.server.watchTrace(() => counts.push([world.server.requestCount(), world.server.requests().length]))
    const names = ["a", "b", "c"]
    for (const name of names) world.server.expectResponse(name, chatTurn, text(name))

    for (const id of ["1", "2", "3"]) world.foreground("ChatCompletions", id, "x")

    expect(counts.every(([count, kept]) => count === kept)).toBe(true)
    expect(world.server.requests().map(({ answer }) => answer.expectation)).toEqual(names)
  })
})
