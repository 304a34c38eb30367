import { MockInferenceServer, ScriptedResponse } from "llm-understudy"
import * as sse from "llm-understudy/sse"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("the client tries again after a 429, and gets the second answer", async () => {
  await using server = await MockInferenceServer.start({ strict: true })
  const limited = ScriptedResponse.json(429, {
    error: { message: "slow down", type: "requests", code: null, param: null }
  })
  limited.headers.push(["retry-after-ms", "1"]) // without it the SDK waits half a second
  server.enqueueResponse("/v1/chat/completions", limited)
  server.enqueueResponse(
    "/v1/chat/completions",
    ScriptedResponse.json(200, sse.chatReply.text({ model: "tide-1", text: "Sea is calm" }))
  )
  const client = new OpenAI({ baseURL: server.url(), apiKey: "any" })

  const reply = await client.chat.completions.create({
    model: "tide-1",
    messages: [{ role: "user", content: "Weather?" }]
  })

  expect(reply.choices[0]?.message.content).toBe("Sea is calm")
  expect(server.requests().map((request) => request.header("x-stainless-retry-count"))).toEqual(["0", "1"])
  server.verify() // nothing scripted is left, and nothing else was asked for
})
