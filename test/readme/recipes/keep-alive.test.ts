import { InferenceRequestMatcher, MockInferenceServer, ScriptedResponse, SseEvent } from "llm-understudy"
import { expect, test } from "vitest"

test("a silent stream over a real socket is kept alive every fifteen seconds, and no time passes", async () => {
  await using server = await MockInferenceServer.start({ clock: "manual" })
  const turn = server.expectResponseBlocked(
    "turn",
    InferenceRequestMatcher.auxiliary("ChatCompletions"),
    ScriptedResponse.sse([SseEvent.data("[DONE]")])
  )

  const asked = fetch(`${server.url()}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"stream":true}'
  })
  await turn.waitBlocked()
  await server.clock.advance("31 seconds")
  turn.release()

  expect(await (await asked).text()).toBe(":\n\n:\n\ndata: [DONE]\n\n")
})
