import { InferenceRequestMatcher, MockInferenceServer, RequestCondition, ScriptedResponse } from "llm-understudy"
import * as sse from "llm-understudy/sse"
import OpenAI from "openai"
import { expect, test } from "vitest"

test("answers are for those who should get them, and a miss explains itself", async () => {
  await using server = await MockInferenceServer.start({ strict: true, sessions: { sessionHeader: "x-session" } })
  const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions", "Responses") // any of the two
  const answer = (text: string) => ScriptedResponse.json(200, sse.chatReply.text({ model: "tide-1", text }))
  const anns = InferenceRequestMatcher.where(auxiliary, RequestCondition.session("ann"))
  const bobs = InferenceRequestMatcher.where(auxiliary, RequestCondition.session("bob"))
  server.expectResponse("for ann", anns, answer("hello Ann"), { times: 2 })
  const one = server.expectAny("for bob", [
    { matcher: bobs, response: answer("hello Bob") },
    { matcher: InferenceRequestMatcher.where(bobs, RequestCondition.turn(2)), response: answer("again") }
  ])
  const client = new OpenAI({ baseURL: server.url(), apiKey: "any" })
  const ask = async (session: string) => {
    const reply = await client.chat.completions.create(
      { model: "tide-1", messages: [{ role: "user", content: "hi" }] },
      { headers: { "x-session": session } }
    )
    return reply.choices[0]?.message.content
  }

  expect([await ask("bob"), await ask("ann")]).toEqual(["hello Bob", "hello Ann"])
  expect(one.members.map((member) => member.phase)).toEqual(["Satisfied", "Retired"])
  await expect(ask("eve")).rejects.toThrow('`for ann#2`: it wants session is "ann", but session is "eve"')
  expect(() => server.verify()).toThrow("expectation `for ann#2` (state: Pending)")
})
