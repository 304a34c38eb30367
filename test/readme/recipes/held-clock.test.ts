import { MockInferenceServer } from "llm-understudy"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("a slow answer is slow only on the clock that the test holds", async () => {
  await using server = await MockInferenceServer.start({ clock: "manual" })
  server.setChunkDelay(60_000)
  const client = new OpenAI({ baseURL: server.url(), apiKey: "any" })

  const stream = client.chat.completions.stream({
    model: "tide-1",
    messages: [{ role: "user", content: "ping pong" }]
  })
  const { number } = await server.waitForRequest((request) => request.path === "/v1/chat/completions")
  await server.clock.advance("10 minutes")

  expect(number).toBe(1)
  expect(await stream.finalContent()).toBe("Echo: ping pong")
})
