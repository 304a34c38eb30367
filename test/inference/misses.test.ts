import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, RequestCondition, ScriptedResponse, VerificationFailed } from "../../src/index.ts"
import { startWorld } from "../support/virtual-world.ts"

const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
const keyed = {
  authorization: "Bearer sk-very-secret-value",
  "x-api-key": "another-secret-value",
  cookie: "id=cookie-secret-value"
}
const secrets = /very-secret|another-secret|cookie-secret|wanted-secret/

describe("the explanation of a miss", () => {
  it("is kept in the log, in the decision of the trace, and in the summary", () => {
    const world = startWorld({ strict: true })
    world.server.expectResponse(
      "turn",
      InferenceRequestMatcher.foreground("ChatCompletions"),
      ScriptedResponse.empty(200)
    )

    world.auxiliary("hello")

    const [entry] = world.server.requests()
    const miss = entry?.answer.miss
    expect(miss).toContain("the nearest expectation is `turn`: it wants foreground, not auxiliary")
    const decisions = world.server.traceEvents().filter((event) => event.type === "decision")
    expect(decisions).toMatchObject([{ source: "unexpected", expectation: null, miss }])
    expect(world.server.requestLogSummary()).toBe(`  [0] POST /v1/chat/completions: unexpected: ${miss}`)
  })

  it("is null where there was none", () => {
    const world = startWorld()
    world.server.expectResponse("turn", auxiliary, ScriptedResponse.empty(200))
    world.auxiliary("hello")
    world.auxiliary("hello")

    expect(world.server.requests().map(({ answer }) => answer.miss)).toEqual([null, null])
    const decisions = world.server.traceEvents().filter((event) => event.type === "decision")
    expect(decisions).toMatchObject([{ miss: null }, { miss: null }])
    expect(world.server.requestLogSummary()).toBe("  [0] POST /v1/chat/completions\n  [1] POST /v1/chat/completions")
  })

  it("is bounded, in the summary more than in the log", () => {
    const world = startWorld({ strict: true })
    const conditions = Array.from({ length: 50 }, () => RequestCondition.request("x".repeat(1_000), () => false))
    world.server.expectResponse(
      "turn",
      InferenceRequestMatcher.where(auxiliary, ...conditions),
      ScriptedResponse.empty(200)
    )

    world.auxiliary("hello")

    expect(world.server.requests()[0]?.answer.miss).toHaveLength(2_000)
    expect(world.server.requestLogSummary().length).toBeLessThan(400)
  })

  it("goes from the log with the other texts of its entry", () => {
    const world = startWorld({ strict: true, logBytesMax: 1_000 })
    world.auxiliary("hello")
    world.auxiliary("hello")

    const misses = world.server.requests().map(({ answer, isTrimmed }) => [isTrimmed, answer.miss === null])
    expect(misses).toEqual([
      [true, true],
      [false, false]
    ])
  })

  it.each<readonly [string, RequestCondition]>([
    ["a header of a key", RequestCondition.header("Authorization", "Bearer wanted-secret")],
    ["a pattern on such a header", RequestCondition.header("x-api-key", /wanted-secret/)],
    ["a cookie", RequestCondition.header("cookie", "wanted-secret")],
    [
      "words of the test",
      {
        description: "the key is right",
        test: () => false,
        found: (request) => `it is ${request.header("authorization")} with ${request.header("x-api-key")?.slice(0, 12)}`
      }
    ],
    ["an error of the test", RequestCondition.request("x", (request) => expectNever(request.header("cookie")))]
  ])("shows no secret of %s, wherever it is told", (_, condition) => {
    const world = startWorld({ strict: true, sessions: { sessionHeader: "authorization" } })
    const handle = world.server.expectResponse(
      "turn",
      InferenceRequestMatcher.where(auxiliary, condition, RequestCondition.session("x")),
      ScriptedResponse.empty(200)
    )

    const answer = world.auxiliary("hello", { headers: keyed })

    expect(answer.status).toBe(400)
    const told = [
      answer.text(),
      world.server.requests()[0]?.answer.miss,
      world.server.requestLogSummary(),
      JSON.stringify(world.server.traceEvents()),
      messageOf(() => handle.assertSatisfied()),
      messageOf(() => world.server.verify())
    ]
    expect(told[0]).toContain("it wants ")
    expect(told.filter((text) => typeof text !== "string" || secrets.test(text))).toEqual([])
  })
})

const expectNever = (value: string | undefined): never => {
  throw new Error(`never ${value}`)
}

const messageOf = (act: () => void): string => {
  try {
    act()
  } catch (error) {
    if (error instanceof VerificationFailed || error instanceof Error) return error.message
  }
  return ""
}

describe("a miss of the Responses API", () => {
  it("is refused in its shape", () => {
    const world = startWorld({ profile: "full", strict: true })

    const answer = world.post("/v1/responses", { model: "m", input: "hello" })

    expect([answer.status, answer.header("x-should-retry")]).toEqual([400, "false"])
    expect(answer.json()).toEqual({
      error: {
        message: expect.stringContaining("nothing is scripted for this request: the request is Responses, auxiliary"),
        type: "invalid_request_error",
        param: null,
        code: null
      }
    })
  })
})
