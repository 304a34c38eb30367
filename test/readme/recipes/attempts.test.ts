import { InferenceRequestMatcher, MockInferenceServer, ScriptedResponse } from "llm-understudy"
import * as sse from "llm-understudy/sse"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("a retry gets its own answer, and never that of the next turn", async () => {
  await using server = await MockInferenceServer.start({ strict: true })
  const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
  const answer = (text: string) => ScriptedResponse.json(200, sse.chatReply.text({ model: "tide-1", text }))
  server.expectAttempts("first turn", auxiliary, [ScriptedResponse.hangUp("rst"), answer("calm")])
  server.expectResponse("second turn", auxiliary, answer("and warm"))
  const client = new OpenAI({ baseURL: server.url(), apiKey: "any" })
  const ask = async (content: string) => {
    const reply = await client.chat.completions.create({ model: "tide-1", messages: [{ role: "user", content }] })
    return reply.choices[0]?.message.content
  }

  expect(await ask("Weather?")).toBe("calm") // the SDK asked twice
  expect(await ask("And the water?")).toBe("and warm")
  expect(server.requestCount()).toBe(3)
  server.verify()
})
