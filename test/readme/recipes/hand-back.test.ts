import Anthropic from "@anthropic-ai/sdk"
import { MockInferenceServer } from "llm-understudy"
import { expect, test } from "vitest"

test("one call is failed by hand, and its retry is handed back to the server", async () => {
  await using server = await MockInferenceServer.start()
  const client = new Anthropic({ apiKey: "any", baseURL: server.origin() })

  const first = server.next({ endpoint: "Messages" })
  const second = server.next({ endpoint: "Messages" }) // asked for before the retry comes
  const asked = client.messages.create({
    model: "tide-1",
    max_tokens: 100,
    messages: [{ role: "user", content: "ping pong" }]
  })
  const call = await first
  call.fail(529, "overloaded") // an error in the shape of the API; the SDK asks again
  const retry = await second
  retry.proceed() // as if nobody had held it

  expect((await asked).content).toMatchObject([{ type: "text", text: "Echo: ping pong" }])
  expect(server.requests().map((request) => request.answer.status)).toEqual([529, 200])
})
