import { InferenceEndpoint, InferenceRequestMatcher, MockInferenceServer, ScriptedResponse } from "llm-understudy"
import * as sse from "llm-understudy/sse"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("a reader sees the words while the model is still talking", async () => {
  await using server = await MockInferenceServer.start()
  const turn = server.expectResponseBlocked(
    "weather",
    InferenceRequestMatcher.auxiliary(InferenceEndpoint.ChatCompletions),
    ScriptedResponse.sse(sse.chat.text({ model: "tide-1", text: "Sea is calm" }))
  )
  const client = new OpenAI({ baseURL: server.url(), apiKey: "any" })

  const stream = client.chat.completions.stream({ model: "tide-1", messages: [{ role: "user", content: "Weather?" }] })
  let seen = ""
  stream.on("content", (piece) => {
    seen += piece
    if (seen === "Sea is calm") turn.release() // the answer has been standing before its last event until here
  })
  await turn.waitBlocked()
  expect(await stream.finalContent()).toBe("Sea is calm")
  turn.assertSatisfied()
})
