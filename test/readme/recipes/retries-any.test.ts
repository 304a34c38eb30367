import { MockInferenceServer, ScriptedResponse } from "llm-understudy"
import * as sse from "llm-understudy/sse"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("attempts are counted, and the retry takes the next entry of the queue all the same", async () => {
  await using server = await MockInferenceServer.start({ strict: true, sessions: { retries: "any" } })
  const limited = ScriptedResponse.json(429, { error: { message: "slow down", type: "requests" } })
  limited.headers.push(["retry-after-ms", "1"])
  const answer = ScriptedResponse.json(200, sse.chatReply.text({ model: "tide-1", text: "Sea is calm" }))
  for (const response of [limited, answer]) server.enqueueResponse("/v1/chat/completions", response)
  const client = new OpenAI({ baseURL: server.url(), apiKey: "any" })

  const reply = await client.chat.completions.create({
    model: "tide-1",
    messages: [{ role: "user", content: "Weather?" }]
  })

  expect(reply.choices[0]?.message.content).toBe("Sea is calm")
  const facts = server.traceEvents().filter((event) => event.type === "conversation")
  expect(facts.map(({ attempt, retryOf, because }) => [attempt, retryOf, because])).toEqual([
    [1, null, null],
    [2, 1, "error status"]
  ])
  server.verify()
})
