import { InferenceRequestMatcher, MockInferenceServer, ScriptedResponse } from "llm-understudy"
import * as sse from "llm-understudy/sse"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("a paced answer is watched until it is delivered", async () => {
  await using server = await MockInferenceServer.start({ clock: "manual" })
  const answer = ScriptedResponse.sse(sse.chat.text({ model: "tide-1", text: "Sea is calm" }))
  answer.pacing = { firstTokenMs: 800, tokensPerSecond: 50, jitterMs: 5, seed: 7 } // the same jitter in every run
  const turn = server.expectResponse("weather", InferenceRequestMatcher.auxiliary("ChatCompletions"), answer)
  const events = server.traceStream()
  const client = new OpenAI({ baseURL: server.url(), apiKey: "any" })

  const stream = client.chat.completions.stream({ model: "tide-1", messages: [{ role: "user", content: "Weather?" }] })
  await turn.waitReceived()
  await server.clock.advance("2 seconds")
  expect(await stream.finalContent()).toBe("Sea is calm")
  await turn.waitSatisfied() // its end was permitted
  await turn.waitDelivered() // all of it has left

  for await (const event of events) if (event.type === "ended") break
  expect(server.requests()[0]?.answer).toMatchObject({ source: "expectation", events: 6, outcome: "completed" })
})

test("an agent that has run its tools is told that it is done, without a script", async () => {
  await using server = await MockInferenceServer.start()
  const client = new OpenAI({ baseURL: server.url(), apiKey: "any" })

  const reply = await client.chat.completions.create({
    model: "tide-1",
    messages: [
      { role: "user", content: "How deep is it?" },
      { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: "depth", arguments: "{}" } }] },
      { role: "tool", tool_call_id: "c", content: "40" }
    ]
  })

  expect(reply.choices[0]?.message.content).toBe("done")
})
