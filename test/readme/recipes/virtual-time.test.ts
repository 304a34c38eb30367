import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { startVirtualServer } from "llm-understudy/sim"
import { expect, test } from "vitest"

test("a silent stream is kept alive by a comment every fifteen seconds", () => {
  const { server, http, clock } = startVirtualServer()
  const turn = server.expectResponseBlocked(
    "turn",
    InferenceRequestMatcher.auxiliary("ChatCompletions"),
    ScriptedResponse.sse([{ event: null, data: "[DONE]" }])
  )

  const answer = http.connect().request({
    method: "POST",
    target: "/v1/chat/completions",
    headers: [["content-type", "application/json"]],
    body: "{}"
  })
  clock.advance(31_000) // no time passes outside
  turn.release()
  clock.settle()

  expect(answer.text()).toBe(":\n\n:\n\ndata: [DONE]\n\n")
})
