import { MockInferenceServer } from "llm-understudy"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("the test writes a stream by hand, and breaks it off", async () => {
  await using server = await MockInferenceServer.start()
  const client = new OpenAI({ baseURL: server.url(), apiKey: "any", maxRetries: 0 })
  const chunk = (content: string) => JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content } }] })

  const next = server.next({ endpoint: "ChatCompletions", turn: 1 })
  const stream = client.chat.completions.create({
    model: "tide-1",
    stream: true,
    messages: [{ role: "user", content: "Weather?" }]
  })
  const call = await next
  const written = call.stream()
  written.write(chunk("Sea"))
  const words: Array<string> = []
  const reading = (async () => {
    for await (const piece of await stream) {
      words.push(piece.choices[0]?.delta.content ?? "")
      written.end("rst") // once the first word has been read
    }
  })()

  await expect(reading).rejects.toThrow()
  expect(words).toEqual(["Sea"])
})
