import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, RequestCondition, ScriptedResponse, SseEvent } from "../../src/index.ts"
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
    const key = (session: string) =>
      [
        ["idempotency-key", "k1"],
        ["session-id", session]
      ] as const
    server.expectAttempts("turn", auxiliary, [ScriptedResponse.hangUp("stall"), ScriptedResponse.text(210, "again")])

    ask("hello", key("red")).connection.disconnect()

    expect(ask("hello", key("blue")).answer.text()).toContain("Echo: hello")
    expect(ask("hello, reworded", key("red")).answer.text()).toBe("again")
  })

  it("with different request ids are different calls", () => {
    const { server, ask } = start({ strict: true })
    const id = (value: string) => [["x-grok-req-id", value]] as const
    server.expectAttempts("one", auxiliary, [cut(), ScriptedResponse.text(210, "one")])
    server.expectAttempts("two", auxiliary, [cut(), ScriptedResponse.text(211, "two")])

    expect([ask("hello", id("1")).answer.ended, ask("hello", id("2")).answer.ended]).toEqual(["rst", "rst"])
    expect([ask("hello", id("2")).answer.text(), ask("hello", id("1")).answer.text()]).toEqual(["two", "one"])
    server.verify()
  })

  it("are tries of one call while an earlier one is still being answered", () => {
    const { server, ask } = start({ sessions: {} })
    const held = server.expectResponseBlocked("slow", auxiliary, ScriptedResponse.text(210, "slow"))
    ask("hello")

    expect(ask("hello").answer.text()).toContain("Echo")
    expect(conversations(server)).toMatchObject([
      { attempt: 1, retryOf: null, because: null },
      { attempt: 2, retryOf: 1, because: "still open" }
    ])
    held.release()
  })

  it("and the rules that told them stand in the trace", () => {
    const { server, ask } = start({ sessions: { sessionHeader: "x-team" } })
    ask("hello", [["x-team", "red"]])
    ask("hello", [["authorization", "Bearer secret"]])
    ask("hello")

    const facts = conversations(server)
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
    expect(conversations(server)).toEqual([])
  })
})

const conversations = (server: ReturnType<typeof start>["server"]) =>
  server.traceEvents().filter((event) => event.type === "conversation")

const path = "/v1/chat/completions"
const tooMany = () => ScriptedResponse.json(429, {})

describe("a retry", () => {
  it("takes no entry of a queue: that is for the next call", () => {
    const { server, ask } = start({ strict: true })
    server.expectAttempts("turn", auxiliary, [cut()])
    server.enqueueResponse(path, ScriptedResponse.text(211, "next"))
    ask("hello")

    expect(ask("hello").answer.status).toBe(400)
    expect(ask("more").answer.text()).toBe("next")
  })

  it("takes no turn of an agent either, and gets what is answered where nothing is scripted", () => {
    const { server, http, clock } = start({ sessions: {} })
    const turn = (content: string) => {
      const answer = http.connect().request({
        method: "POST",
        target: path,
        headers: [
          ["content-type", "application/json"],
          ["x-grok-turn-idx", "1"]
        ],
        body: JSON.stringify({ messages: [{ role: "user", content }] })
      })
      clock.settle()
      return answer.text()
    }
    server.enqueueResponse(path, tooMany())
    server.setAgentTurns(["next turn"])

    expect(turn("hello")).toBe("{}")
    expect(turn("hello")).toContain("Echo: hello")
    expect(turn("more")).toContain("next turn")
  })

  it("takes what comes next where the test says that it may", () => {
    const { server, ask } = start({ strict: true, sessions: { retries: "any" } })
    server.enqueueResponse(path, tooMany())
    server.enqueueResponse(path, ScriptedResponse.text(210, "again"))

    expect([ask("hello").answer.status, ask("hello").answer.text()]).toEqual([429, "again"])
    server.expectResponse("one", auxiliary, cut())
    server.expectResponse("two", auxiliary, ScriptedResponse.text(211, "two"))
    expect([ask("more").answer.ended, ask("more").answer.text()]).toEqual(["rst", "two"])
    expect(conversations(server).map(({ attempt }) => attempt)).toEqual([1, 2, 1, 2])
    server.verify()
  })

  it("takes what asks for its number, and the first try does not", () => {
    const { server, ask } = start({ strict: true })
    const second = InferenceRequestMatcher.where(auxiliary, RequestCondition.attempt(2))
    const again = server.expectResponse("again", second, ScriptedResponse.text(210, "again"))
    const firsts = server.expectResponse("first", auxiliary, tooMany(), { times: 2 })

    expect([ask("hello"), ask("hello"), ask("hello")].map(({ answer }) => answer.status)).toEqual([429, 210, 429])
    expect([again.isSatisfied(), firsts.isSatisfied()]).toEqual([true, true])
    expect(() => RequestCondition.attempt(0)).toThrow("attempt is 0; use a whole number from 1")
  })

  it.each([
    ["reset", () => cut(), "ended in reset"],
    ["error status", tooMany, "was answered with an error status"],
    ["stalled", () => ScriptedResponse.hangUp("stall"), "ended in silence"]
  ] as const)("after one that ended in %s says so in the trace and in its miss", (because, script, words) => {
    const { server, ask } = start({ strict: true })
    server.expectAttempts("turn", auxiliary, [script()])
    server.expectResponse("next", auxiliary, ScriptedResponse.text(211, "next"))
    ask("hello")

    const text = ask("hello").answer.text()
    expect(text).toContain(`\`next\`: it is for a first attempt, but this is attempt 2 (a retry of #1, which ${words})`)
    expect(text).toContain('takes only what is scripted for its own call, unless `sessions: { retries: \\"any\\" }`')
    expect(conversations(server)[1]).toMatchObject({ attempt: 2, retryOf: 1, because })
    expect(ask("hello").answer.status).toBe(400)
    expect(conversations(server)[2]).toMatchObject({ attempt: 3, retryOf: 2, because: "error status" })
  })

  it("after a client that left says so", () => {
    const { server, ask } = start({ sessions: {} })
    server.expectResponseBlocked("turn", auxiliary, ScriptedResponse.text(210, ""))
    ask("hello").connection.disconnect()
    ask("hello")

    expect(conversations(server)[1]).toMatchObject({ attempt: 2, retryOf: 1, because: "client_closed" })
  })
})

describe("a first attempt that misses", () => {
  it("is told of answers that are for retries, and a nearer expectation goes before", () => {
    const { server, ask } = start({ strict: true })
    server.expectAttempts("taken", auxiliary, [cut(), ScriptedResponse.text(210, "")])
    ask("hello")
    expect(ask("other").answer.text()).toContain("`taken#2`: it is for retries of another call")

    const red = InferenceRequestMatcher.where(auxiliary, RequestCondition.header("x-team", "red"))
    server.expectResponse("red", red, ScriptedResponse.text(200, ""))
    expect(ask("another").answer.text()).toContain("`red`: it wants header x-team")
  })

  it("is told of answers for retries of a call that has not come", () => {
    const { server, ask } = start({ strict: true })
    const chain = server.expectAttempts("turn", auxiliary, [cut(), ScriptedResponse.text(210, "")])
    chain.members[0]?.retire()

    expect(ask("hello").answer.text()).toContain("`turn#2`: it is for retries of a call that has not come yet")
  })
})
