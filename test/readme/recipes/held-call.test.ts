import { MockInferenceServer } from "llm-understudy"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("two requests race, and the later one is answered first", async () => {
  await using server = await MockInferenceServer.start()
  const client = new OpenAI({ baseURL: server.url(), apiKey: "any" })
  const ask = async (content: string) => {
    const reply = await client.chat.completions.create({ model: "tide-1", messages: [{ role: "user", content }] })
    finished.push(reply.choices[0]?.message.content)
  }
  const finished: Array<string | null | undefined> = []

  const arrived = server.gather(2) // holds both until both are there
  const asked = [ask("first"), ask("second")]
  const [earlier, later] = await arrived
  later?.replyText("answer to the later")
  await Promise.race(asked)
  earlier?.replyText("answer to the earlier")
  await Promise.all(asked)

  expect(finished).toEqual(["answer to the later", "answer to the earlier"])
})
