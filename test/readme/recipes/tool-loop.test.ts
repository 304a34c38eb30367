import { InferenceRequestMatcher, MockInferenceServer, ScriptedResponse } from "llm-understudy"
import * as sse from "llm-understudy/sse"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("the model asks for a tool, and answers with its result", async () => {
  await using server = await MockInferenceServer.start()
  const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions") // one tool; two or more make it foreground
  const ask = sse.chat.call({ model: "tide-1", callId: "call_1", name: "depth", arguments: '{"at":"pier"}' })
  server.expectResponse("ask", auxiliary, ScriptedResponse.sse(ask))
  server.expectResponse(
    "tell",
    auxiliary,
    ScriptedResponse.sse(sse.chat.text({ model: "tide-1", text: "Forty metres." }))
  )
  const client = new OpenAI({ baseURL: server.url(), apiKey: "any" })

  const runner = client.chat.completions.runTools({
    stream: true,
    model: "tide-1",
    messages: [{ role: "user", content: "How deep is it?" }],
    tools: [
      {
        type: "function",
        function: {
          name: "depth",
          description: "how deep the water is",
          parameters: { type: "object" },
          function: () => "40"
        }
      }
    ]
  })

  expect(await runner.finalContent()).toBe("Forty metres.")
  server.verify()
})
