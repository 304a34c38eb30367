import { InferenceRequestMatcher, MockInferenceServer, ScriptedResponse } from "llm-understudy"
import { spawnFaultProxy } from "llm-understudy/proxy"
import { chat } from "llm-understudy/sse"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("words that came before a stream was cut were seen", async () => {
  await using server = await MockInferenceServer.start()
  const answer = ScriptedResponse.sse(chat.text({ model: "tide-1", text: "Sea is calm" }))
  server.expectResponse("weather", InferenceRequestMatcher.auxiliary("ChatCompletions"), answer)
  // The event with this word is cut in the middle, and the connection with it.
  const match = { kind: "event", where: { "/choices/0/delta/content": " calm" } }
  await using proxy = await spawnFaultProxy("tcp:127.0.0.1:0", server.origin(), {
    rules: [{ direction: "u2c", match, action: "sever" }]
  })
  const client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: "any" })

  const stream = await client.chat.completions.create({
    model: "tide-1",
    stream: true,
    messages: [{ role: "user", content: "Weather?" }]
  })
  let seen = ""
  const reading = (async () => {
    for await (const chunk of stream) seen += chunk.choices[0]?.delta.content ?? ""
  })()

  await expect(reading).rejects.toThrow("terminated")
  expect(seen).toBe("Sea is")
})
