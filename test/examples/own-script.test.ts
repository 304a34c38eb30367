import { fileURLToPath } from "node:url"
import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { startHarness } from "llm-understudy/harness"
import { chatReply } from "llm-understudy/sse"
import { expect, test } from "vitest"

const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url))

test("my agent says what the model said, and an error when the model refuses", async () => {
  await using harness = await startHarness({ variables: { MY_AGENT: beside("my-agent.mjs") } })
  const mock = await harness.startMock()
  const agent = await harness.startAgent({ profile: beside("my-agent.json"), mock, strict: true })
  const call = InferenceRequestMatcher.auxiliary("ChatCompletions") // for a request with less than two tools
  const reply = chatReply.text({ model: "tide-1", text: "Brown." })
  mock.expectResponse("answers", call, ScriptedResponse.json(200, reply))
  mock.expectResponse("is overloaded", call, ScriptedResponse.json(503, { error: { message: "later" } }))

  await agent.initialize()
  const { sessionId } = await agent.createSession(agent.sandbox.paths.workspace)
  await agent.prompt(sessionId, "Which colour has kelp?")
  const refused = await agent.prompt(sessionId, "And now?")

  expect(agent.capturedText(sessionId)).toBe("Brown.")
  expect(refused).toMatchObject({ ok: false, error: { code: -32603, said: "Error: the model answered 503" } })
  mock.verify()
})
