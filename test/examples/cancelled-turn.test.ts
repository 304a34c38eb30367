import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { fakeAgent, startHarness } from "llm-understudy/harness"
import { chat } from "llm-understudy/sse"
import { expect, test } from "vitest"

test("a turn that is cancelled while the model thinks ends at once, and says nothing", async () => {
  await using harness = await startHarness()
  const mock = await harness.startMock()
  const agent = await harness.startAgent({ profile: fakeAgent({ args: ["--via-mock"] }), mock })
  const matcher = InferenceRequestMatcher.auxiliary("ChatCompletions") // agents with tools: foreground
  const answer = ScriptedResponse.sse(chat.text({ model: "tide-1", text: "Too late." }))
  const held = mock.expectResponse("held", matcher, answer, { barriers: [{ at: "head" }] })
  await agent.initialize()
  const { sessionId } = await agent.createSession(agent.sandbox.paths.workspace)

  const turn = agent.prompt(sessionId, "Weather?")
  await held.waitBlocked()
  await agent.cancel(sessionId)

  expect(await turn).toMatchObject({ ok: true, stopReason: "cancelled" })
  expect(agent.capturedText(sessionId)).toBe("")
})
