import Anthropic from "@anthropic-ai/sdk"
import { InferenceRequestMatcher, MockInferenceServer, ScriptedResponse } from "llm-understudy"
import * as sse from "llm-understudy/sse"
import { expect, test } from "vitest"

test("half of an answer is shown while the model is still writing", async () => {
  await using server = await MockInferenceServer.start()
  const events = sse.messages.text({ model: "tide-1", text: "Sea is calm" })
  const firstWord = events.findIndex((event) => event.data.includes("Sea")) + 1
  const turn = server.expectResponse(
    "weather",
    InferenceRequestMatcher.auxiliary("Messages"),
    ScriptedResponse.sse(events),
    { barriers: [{ at: { afterEvent: firstWord }, name: "first word" }] }
  )
  const client = new Anthropic({ baseURL: server.origin(), apiKey: "any" })

  const stream = client.messages.stream({
    model: "tide-1",
    max_tokens: 100,
    messages: [{ role: "user", content: "Weather?" }]
  })
  const seen = new Promise((resolve) => stream.once("text", resolve))
  await turn.waitBlocked("first word")
  expect(await seen).toBe("Sea ")
  turn.release("first word")

  expect(await stream.finalText()).toBe("Sea is calm")
  await turn.waitSatisfied()
})
