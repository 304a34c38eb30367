import { describe, expect, it } from "vitest"
import { type ExpectationHandle, InferenceRequestMatcher, RequestCondition, ScriptedResponse } from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"

const messages = InferenceRequestMatcher.foreground("ChatCompletions", "Messages")
const wordsOfOne = "#1 Messages, auxiliary, because it has 1 tools and neither x-grok-turn-idx nor x-grok-req-id is set"

const start = () => {
  const world = startVirtualServer()
  const ask = (path = "/v1/messages", headers: Record<string, string> = {}) => {
    world.http.connect().request({
      method: "POST",
      target: path,
      headers: [["content-type", "application/json"], ...Object.entries(headers)],
      body: '{"tools":[1]}'
    })
    world.clock.settle()
  }
  return { ...world, ask }
}

const failureOf = (handle: ExpectationHandle): string => {
  try {
    handle.assertSatisfied()
    return ""
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe("an assertion that fails", () => {
  it("says what the expectation is for, what passed it by, and what was different", () => {
    const { server, ask } = start()
    const matcher = InferenceRequestMatcher.where(messages, RequestCondition.header("x-team", "red"))
    const handle = server.expectResponse("turn", matcher, ScriptedResponse.text(210, ""))
    expect(failureOf(handle)).toContain("no request was passed by")

    ask()

    expect(failureOf(handle)).toBe(
      "inference expectation `turn` was not satisfied (state: Pending)\n" +
        'it is for foreground requests on ChatCompletions or Messages, where header x-team is "red"; passed by:\n' +
        `  ${wordsOfOne} (2 tools make a turn): it wants foreground, not auxiliary; it wants header x-team is "red", but ` +
        "header x-team is absent"
    )
    expect(server.requests()[0]?.kind).toBe("auxiliary")
  })

  it("names the condition alone where the rest was right", () => {
    const { server, ask } = start()
    const matcher = InferenceRequestMatcher.where(messages, RequestCondition.session("ann"), RequestCondition.turn(0))
    const handle = server.expectResponse("turn", matcher, ScriptedResponse.text(210, ""))

    ask("/v1/messages", { "x-grok-turn-idx": "1", "session-id": "bob" })

    expect(failureOf(handle)).toMatch(/x-grok-turn-idx is set: it wants session is "ann", but session is "bob"$/)
  })

  it("says of a request that came before the expectation that it did", () => {
    const { server, ask } = start()
    server.expectResponse("other", messages, ScriptedResponse.text(210, ""))
    ask()
    const late = server.expectResponse("late", messages, ScriptedResponse.text(210, ""))

    expect(failureOf(late)).toMatch(/\(2 tools make a turn\): it came before this was registered$/)
  })

  it("tells of a limited number of requests, in a limited number of letters", () => {
    const { server, ask } = start()
    const long = RequestCondition.request("x".repeat(10_000), () => false)
    const handle = server.expectResponse(
      "turn",
      InferenceRequestMatcher.where(messages, long),
      ScriptedResponse.empty(200)
    )

    for (let count = 0; count < 40; count++) ask()

    const message = failureOf(handle)
    expect(message.match(/^ {2}#/gm)).toHaveLength(16)
    expect(message.length).toBeLessThan(12_000)
    expect(message).toContain("#40 ")
  })
})

describe("an assertion on a group", () => {
  it("gives the hint of members that are alike once", () => {
    const { server, ask } = start()
    const handle = server.expectResponse("turn", messages, ScriptedResponse.text(210, ""), { times: 3 })
    ask()

    const message = failureOf(handle)
    expect(message).toContain(
      "inference expectation `turn#3` (state: Pending): not all were satisfied\nit is for foreground"
    )
    expect(message.split(wordsOfOne)).toHaveLength(2)
  })

  it("gives the hint of every alternative", () => {
    const { server, ask } = start()
    const answer = ScriptedResponse.text(210, "")
    const responses = InferenceRequestMatcher.auxiliary("Responses")
    const handle = server.expectAny("either", [
      { matcher: messages, response: answer },
      { matcher: responses, response: answer }
    ])
    ask()

    expect(failureOf(handle)).toContain("it wants foreground, not auxiliary")
    expect(failureOf(handle)).toContain("it wants Responses, not Messages")
  })

  it("gives the hint of the attempts that did not come", () => {
    const { server, ask } = start()
    const auxiliary = InferenceRequestMatcher.auxiliary("Messages")
    const answers = [ScriptedResponse.hangUp("rst"), ScriptedResponse.text(210, "")]
    const handle = server.expectAttempts("turn", auxiliary, answers)
    ask()
    ask("/v1/messages", { "session-id": "other" })

    expect(failureOf(handle)).toContain("\nit is for auxiliary requests on Messages, attempt 2 of a call; passed by:")
    expect(failureOf(handle)).toContain("is set (2 tools make a turn): it is for retries of another call")
  })

  it("is short however many members there are", () => {
    const { server } = start()
    const handle = server.expectResponse("turn", messages, ScriptedResponse.text(210, ""), { times: 1_000 })

    expect(failureOf(handle).length).toBeLessThan(2_000)
    expect(failureOf(handle)).toContain("and 984 more")
  })
})
