import { InferenceRequestMatcher, MockInferenceServer, ScriptedResponse } from "llm-understudy"
import * as sse from "llm-understudy/sse"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("a reply that is no stream is as slow as its test says", async () => {
  await using server = await MockInferenceServer.start({ clock: "manual" })
  const answer = ScriptedResponse.json(200, sse.chatReply.text({ model: "tide-1", text: "Sea is calm" }))
  answer.pacing = { delayMs: 90_000 } // before its head
  const turn = server.expectResponse("weather", InferenceRequestMatcher.auxiliary("ChatCompletions"), answer)
  const client = new OpenAI({ baseURL: server.url(), apiKey: "any" })

  const asked = client.chat.completions.create({
    model: "tide-1",
    messages: [{ role: "user", content: "Weather?" }]
  })
  await turn.waitReceived()
  await server.clock.advance("89 seconds")
  expect(turn.phase).toBe("Received")
  await server.clock.advance("1 second")

  expect((await asked).choices[0]?.message.content).toBe("Sea is calm")
})
