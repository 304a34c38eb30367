import { InferenceRequestMatcher, MockInferenceServer, RequestCondition, ScriptedResponse } from "llm-understudy"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("the third try of a turn dies after two events, once the test says so", async () => {
  await using server = await MockInferenceServer.start({ sessions: {} })
  const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
  const third = server.expectResponseBlocked(
    "third",
    InferenceRequestMatcher.where(auxiliary, RequestCondition.attempt(3)),
    ScriptedResponse.fault("cut_at_event", { cutAfterEvents: 2, resetMode: "rst" })
  )
  server.expectAttempts("turn", auxiliary, [
    ScriptedResponse.fault("retry_after_ms", { retryAfterMs: 1 }),
    ScriptedResponse.fault("retry_after_ms", { retryAfterMs: 1 })
  ])
  const client = new OpenAI({ baseURL: server.url(), apiKey: "any" })
  const words: Array<string> = []

  const stream = await client.chat.completions.create({
    model: "tide-1",
    stream: true,
    messages: [{ role: "user", content: "Weather?" }]
  })
  const reading = (async () => {
    for await (const chunk of stream) {
      words.push(chunk.choices[0]?.delta.content ?? "")
      if (words.length === 2) third.release() // both events are here; now the connection is reset
    }
  })()

  await expect(reading).rejects.toThrow()
  expect(words).toHaveLength(2)
  server.verify()
})
