import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { withSim } from "llm-understudy/sim"
import { chat } from "llm-understudy/sse"
import OpenAI from "openai"
import { Agent, fetch as undiciFetch } from "undici"
import { expect, test } from "vitest"

test("an answer that is a minute late comes, and the test does not wait for it", async () => {
  const { text, minutes } = await withSim({ seed: 7 }, async (sim) => {
    const server = await sim.startServer({ over: "bytes" })
    const answer = ScriptedResponse.sse(chat.text({ model: "tide-1", text: "Sea is calm" }))
    server.expectResponse("weather", InferenceRequestMatcher.auxiliary("ChatCompletions"), answer)
    const proxy = await sim.startProxy(server.origin(), {
      rules: [{ direction: "u2c", match: { kind: "event", nth: 2 }, action: { type: "delay", ms: 60_000 } }]
    })
    const dispatcher = new Agent({ connect: sim.connector("ann") })
    const client = new OpenAI({
      baseURL: `${proxy.url}/v1`,
      apiKey: "any",
      fetch: (url, init) => Reflect.apply(undiciFetch, undefined, [url, { ...init, dispatcher }])
    })
    const messages = [{ role: "user" as const, content: "Weather?" }]
    const stream = await client.chat.completions.create({ model: "tide-1", stream: true, messages })
    let text = ""
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ""
    return { text, minutes: Math.round(sim.now() / 60_000) }
  })

  expect({ text, minutes }).toEqual({ text: "Sea is calm", minutes: 1 })
})
