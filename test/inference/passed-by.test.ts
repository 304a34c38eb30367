import { expect, it } from "vitest"
import { InferenceRequestMatcher, RequestCondition, ScriptedResponse } from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"

it("an assertion that fails says what the expectation is for and what passed it by", () => {
  const { server, http, clock } = startVirtualServer()
  const matcher = InferenceRequestMatcher.where(
    InferenceRequestMatcher.foreground("ChatCompletions", "Messages"),
    RequestCondition.header("x-team", "red")
  )
  const handle = server.expectResponse("turn", matcher, ScriptedResponse.text(210, ""))
  expect(() => handle.assertSatisfied()).toThrow("no request was passed by")

  http.connect().request({
    method: "POST",
    target: "/v1/messages",
    headers: [["content-type", "application/json"]],
    body: '{"tools":[1]}'
  })
  clock.settle()

  expect(() => handle.assertSatisfied()).toThrow(
    "inference expectation `turn` was not satisfied (state: Pending)\n" +
      'it is for foreground requests on ChatCompletions or Messages, where header x-team is "red"; passed by: #1 Messages, ' +
      "auxiliary, because it has 1 tools and neither x-grok-turn-idx nor x-grok-req-id is set (2 tools make a turn)"
  )
  expect(server.requests()[0]?.kind).toBe("auxiliary")
})
