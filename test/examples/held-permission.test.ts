import { fakeAgent, startHarness } from "llm-understudy/harness"
import { expect, test } from "vitest"

const profile = fakeAgent({ args: ["--ask-permission=allow_once,reject_once"] })

test("a permission is answered when the test says so, and the turn goes on", async () => {
  await using harness = await startHarness()
  const agent = await harness.startAgent({ profile, permissions: "hold", strict: true })
  await agent.initialize()
  const { sessionId } = await agent.createSession(agent.sandbox.paths.workspace)

  const turn = agent.prompt(sessionId, "hello")
  const asked = await agent.nextPermission()
  expect(agent.capturedText()).toBe("")
  asked.answer("cancelled")

  expect(await turn).toMatchObject({ ok: true, stopReason: "end_turn" })
  expect(agent.permissions()).toMatchObject([{ answer: "cancelled" }])
})
