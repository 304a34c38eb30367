import { startFaultServer } from "llm-understudy/faults"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("half an answer is discarded, and asked for again", async () => {
  await using server = await startFaultServer({ sequence: ["partial_disconnect", "success"] })
  const client = new OpenAI({ baseURL: server.url, apiKey: "any" })
  const ask = async () => {
    let text = ""
    const stream = await client.chat.completions.create({
      model: "tide-1",
      stream: true,
      messages: [{ role: "user", content: "Weather?" }]
    })
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ""
    return text
  }

  expect(await ask().catch(ask)).toBe("mock response recovered")
  expect(server.requests.map(({ outcome, chunksSent }) => [outcome, chunksSent])).toEqual([
    ["reset", 4],
    ["completed", 5]
  ])
  server.assertDrained()
})
