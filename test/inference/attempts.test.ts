import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, ScriptedResponse, SseEvent } from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"

const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
const cut = (): ScriptedResponse => ({
  ...ScriptedResponse.sse(["1", "2", "3"].map(SseEvent.data)),
  ending: "rst"
})

const start = (options: Parameters<typeof startVirtualServer>[0] = {}) => {
  const world = startVirtualServer(options)
  const ask = (text: string, headers: ReadonlyArray<readonly [string, string]> = []) => {
    const connection = world.http.connect()
    const answer = connection.request({
      method: "POST",
      target: "/v1/chat/completions",
      headers: [["content-type", "application/json"], ...headers],
      body: JSON.stringify({ messages: [{ role: "user", content: text }] })
    })
    world.clock.settle()
    return { answer, connection }
  }
  return { ...world, ask }
}

describe("the attempts of a call", () => {
  it("get the answers that were written for them, in order", () => {
    const { server, ask } = start()
    const attempts = server.expectAttempts("turn", auxiliary, [cut(), ScriptedResponse.text(210, "answer")])

    expect([ask("hello").answer.ended, ask("hello").answer.text()]).toEqual(["rst", "answer"])
    expect(attempts.isSatisfied()).toBe(true)
    server.verify()
  })

  it("never take the answer of the next turn, and the next turn never takes theirs", () => {
    const { server, ask } = start({ strict: true })
    server.expectAttempts("first", auxiliary, [cut(), ScriptedResponse.text(210, "first")])
    server.expectResponse("second", auxiliary, ScriptedResponse.text(211, "second"))

    expect(ask("one").answer.ended).toBe("rst")
    expect(ask("two").answer.text()).toBe("second")
    expect(ask("one").answer.text()).toBe("first")
    server.verify()
  })

  it("that nothing was scripted for are refused, though an expectation for others waits", () => {
    const { server, ask } = start({ strict: true })
    server.expectAttempts("turn", auxiliary, [cut()])
    const next = server.expectResponse("next", auxiliary, ScriptedResponse.text(211, "next"))
    ask("hello")

    expect(ask("hello").answer.status).toBe(400)
    expect(next.phase).toBe("Pending")
    expect(ask("another").answer.status).toBe(211)
  })

  it("of two sessions are told apart, also with the same words", () => {
    const { server, ask } = start()
    const matcher = auxiliary
    server.expectAttempts("a", matcher, [cut(), ScriptedResponse.text(210, "a")])
    server.expectAttempts("b", matcher, [cut(), ScriptedResponse.text(211, "b")])
    const red = [["session-id", "red"]] as const
    const blue = [["session-id", "blue"]] as const

    ask("hello", red)
    ask("hello", blue)

    expect([ask("hello", blue).answer.text(), ask("hello", red).answer.text()]).toEqual(["b", "a"])
  })

  it("count an error that arrived whole as a try, as clients do", () => {
    const { server, ask } = start({ strict: true })
    server.expectAttempts("turn", auxiliary, [ScriptedResponse.json(429, {}), ScriptedResponse.text(210, "answer")])
    server.expectResponse("next", auxiliary, ScriptedResponse.text(211, "next"))

    expect([ask("hello").answer.status, ask("hello").answer.status, ask("more").answer.status]).toEqual([429, 210, 211])
  })

  it("begin anew when the answer before was complete", () => {
    const { server, ask } = start({ sessions: {} })
    server.expectResponse("one", auxiliary, ScriptedResponse.text(210, "one"))
    server.expectResponse("two", auxiliary, ScriptedResponse.text(211, "two"))

    expect([ask("hello").answer.text(), ask("hello").answer.text()]).toEqual(["one", "two"])
  })

  it("count one that the client left, and are one call by their idempotency key whatever their words", () => {
    const { server, ask } = start()
    const key = [["idempotency-key", "k1"]] as const
    server.expectAttempts("turn", auxiliary, [ScriptedResponse.hangUp("stall"), ScriptedResponse.text(210, "again")])

    ask("hello", key).connection.disconnect()

    expect(ask("hello, reworded", key).answer.text()).toBe("again")
  })

  it("and the rules that told them stand in the trace", () => {
    const { server, ask } = start({ sessions: { sessionHeader: "x-team" } })
    ask("hello", [["x-team", "red"]])
    ask("hello", [["authorization", "Bearer secret"]])
    ask("hello")

    const facts = server.traceEvents().filter((event) => event.type === "conversation")
    expect(facts).toMatchObject([
      { session: "red", sessionRule: "configured header", turn: 1, attempt: 1, callRule: "fingerprint" },
      { sessionRule: "bearer", attempt: 1 },
      { sessionRule: "first user message", attempt: 1 }
    ])
    expect(JSON.stringify(facts)).not.toContain("secret")
  })

  it("are not counted unless a test asks for it: a failed call's retry is then just the next request", () => {
    const { server, ask } = start()
    server.expectResponse("one", auxiliary, cut())
    server.expectResponse("two", auxiliary, ScriptedResponse.text(211, "two"))

    ask("hello")

    expect(ask("hello").answer.text()).toBe("two")
    expect(server.traceEvents().some((event) => event.type === "conversation")).toBe(false)
  })
})
