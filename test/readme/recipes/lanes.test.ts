import { startFaultServer } from "llm-understudy/faults"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("each call fails twice and then succeeds, however many there are at once", async () => {
  await using server = await startFaultServer({
    sequence: ["retry_after_ms*2", "success"],
    retryAfterMs: 1,
    lanes: { by: ["fingerprint"] }
  })
  const client = new OpenAI({ baseURL: server.url, apiKey: "any" })
  const ask = async (content: string) => {
    const reply = await client.chat.completions.create({ model: "tide-1", messages: [{ role: "user", content }] })
    return reply.choices[0]?.message.content
  }

  const answers = await Promise.all(["a", "b", "c"].map(ask))

  expect(answers).toEqual(Array(3).fill("mock response recovered"))
  expect(server.requests).toHaveLength(9)
  server.assertDrained()
})
