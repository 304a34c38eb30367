import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, RequestCondition, ScriptedResponse } from "../../src/index.ts"
import { startWorld, type World } from "../support/virtual-world.ts"

const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
const factsOf = ({ server }: World) => server.traceEvents().filter((event) => event.type === "conversation")
const ann = { headers: { "session-id": "ann" } }

describe("who asks", () => {
  it("stands nowhere while nothing wants to know it", () => {
    const world = startWorld()
    world.server.expectResponse("turn", auxiliary, ScriptedResponse.empty(200))

    world.auxiliary("hello", ann)

    expect(factsOf(world)).toEqual([])
    expect(world.server.requests()[0]).toMatchObject({ session: null, turn: null, attempt: null })
  })

  it.each([
    ["session", RequestCondition.session("ann")],
    ["turn", RequestCondition.turn(1)],
    ["session in words of the test", RequestCondition.request("is ann", (request) => request.session === "ann")]
  ])("stands in trace and log once a request when a condition asks for the %s", (_, condition) => {
    const world = startWorld()
    const matcher = InferenceRequestMatcher.where(auxiliary, condition)
    world.server.expectResponse("turn", matcher, ScriptedResponse.empty(200), { times: 2 })

    world.auxiliary("hello", ann)
    world.auxiliary("hello", { headers: { "session-id": "bob" }, body: { messages: [] } })

    const unknown = { attempt: null, retryOf: null, because: null, callRule: "fingerprint" }
    expect(factsOf(world)).toMatchObject([
      { request: 1, session: "ann", sessionRule: "session-id", turn: 1, ...unknown },
      { request: 2, session: "bob", sessionRule: "session-id", turn: 0, ...unknown }
    ])
    expect(world.server.requests()).toMatchObject([
      { session: "ann", turn: 1, attempt: null },
      { session: "bob", turn: 0, attempt: null }
    ])
  })

  it("stands there for a call that a test took, and is not written again when it is handed back", async () => {
    const world = startWorld()
    const taken = world.server.next({ session: "ann" })
    const matcher = InferenceRequestMatcher.where(auxiliary, RequestCondition.session("ann"))
    const handle = world.server.expectResponse("turn", matcher, ScriptedResponse.empty(200))

    world.auxiliary("hello", ann)
    expect(factsOf(world)).toMatchObject([{ request: 1, session: "ann", attempt: null }])
    ;(await taken).proceed()
    world.clock.settle()

    expect(handle.isSatisfied()).toBe(true)
    expect(factsOf(world)).toHaveLength(1)
  })

  it("stands there once more, with its attempt, for a call that was held before attempts were counted", async () => {
    const world = startWorld()
    const taken = world.server.next({ session: "ann" })
    world.auxiliary("hello", ann)
    const call = await taken
    world.server.expectAttempts("turn", auxiliary, [ScriptedResponse.empty(200)])
    call.proceed()
    world.clock.settle()

    expect(factsOf(world)).toMatchObject([
      { request: 1, session: "ann", attempt: null },
      { request: 1, session: "ann", attempt: 1 }
    ])
    expect(world.server.requests()).toMatchObject([{ session: "ann", attempt: 1 }])
  })

  it("is cut in trace and log where its name is long, and compared in full", async () => {
    const world = startWorld({ sessions: {} })
    const long = "s".repeat(100_000)
    const session = (name: string) => ({ body: { messages: [], prompt_cache_key: name } })
    const wanted = InferenceRequestMatcher.where(auxiliary, RequestCondition.session(`${long}b`))
    const handle = world.server.expectResponse("b", wanted, ScriptedResponse.json(503, {}), { times: 2 })
    const held = world.server.next({ session: `${long}c` })

    world.auxiliary("hello", session(`${long}a`))
    expect(handle.phase).toBe("Pending")
    world.auxiliary("hello", session(`${long}b`))
    world.auxiliary("hello", session(`${long}b`))
    world.auxiliary("hello", session(`${long}c`))

    expect((await held).session).toBe(`${long}c`)
    const told = [...factsOf(world), ...world.server.requests()]
    expect(new Set(told.map(({ session }) => session))).toEqual(new Set([`${"s".repeat(255)}…`]))
    expect(factsOf(world).map(({ attempt, retryOf }) => [attempt, retryOf])).toEqual([
      [1, null],
      [1, null],
      [2, 2],
      [1, null]
    ])
  })

  it("stands there with its attempt while attempts are counted, and is seen by conditions", () => {
    const world = startWorld({ sessions: {} })
    const seen: Array<number | null> = []
    const watching = RequestCondition.request("watches", (request) => seen.push(request.attempt) < 0)
    world.server.expectResponse(
      "never",
      InferenceRequestMatcher.where(auxiliary, watching),
      ScriptedResponse.empty(200)
    )
    world.server.expectResponse("turn", auxiliary, ScriptedResponse.json(500, {}))

    world.auxiliary("hello", ann)
    world.auxiliary("hello", ann)

    expect(factsOf(world)).toMatchObject([
      { attempt: 1, retryOf: null, because: null },
      { attempt: 2, retryOf: 1, because: "error status" }
    ])
    expect(world.server.requests()).toMatchObject([
      { session: "ann", attempt: 1 },
      { session: "ann", attempt: 2 }
    ])
    expect(new Set(seen)).toEqual(new Set([1, 2]))
  })
})
