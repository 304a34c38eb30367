import { InferenceRequestMatcher, MockInferenceServer, ScriptedResponse } from "llm-understudy"
import * as sse from "llm-understudy/sse"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("a retry gets its own answer, and never that of the next turn", async () => {
  await using server = await MockInferenceServer.start({ strict: true })
  const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
  const answer = (text: string) => ScriptedResponse.sse(sse.chat.text({ model: "tide-1", text }))
  server.expectAttempts("first turn", auxiliary, [
    ScriptedResponse.cut(answer("Sea is rough"), { afterEvent: 3, ending: "rst" }),
    answer("calm")
  ])
  server.expectResponse("second turn", auxiliary, answer("and warm"))
  const client = new OpenAI({ baseURL: server.url(), apiKey: "any" })
  const ask = async (content: string) => {
    const messages = [{ role: "user" as const, content }]
    const say = () => client.chat.completions.stream({ model: "tide-1", messages }).finalContent()
    return say().catch(say) // no SDK asks again for a stream that broke off; this program does
  }

  expect(await ask("Weather?")).toBe("calm")
  expect(await ask("And the water?")).toBe("and warm")
  expect(server.requests().map((request) => request.attempt)).toEqual([1, 2, 1])
  server.verify()
})
