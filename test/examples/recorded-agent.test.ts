import { readFileSync, writeFileSync } from "node:fs"
import { fakeAgent, sessionRecording, startHarness } from "llm-understudy/harness"
import { expect, test } from "vitest"

test("a session is recorded once, and its agent answers again without a model", async () => {
  await using harness = await startHarness()
  const agent = await harness.startAgent({ profile: "fixture", mock: await harness.startMock() })
  await agent.initialize()
  const first = await agent.createSession("/")
  await agent.prompt(first.sessionId, "hello")

  const { paths } = await harness.makeSandbox()
  const recording = `${paths.home}/hello.jsonl` // or a file beside the test, to be kept
  writeFileSync(recording, sessionRecording(agent, { variables: agent.sandbox.environment() }))
  expect(readFileSync(recording, "utf8")).not.toContain("test-key-for-ci")

  const again = await harness.startAgent({ profile: fakeAgent({ recording }) })
  await again.initialize()
  const { sessionId } = await again.createSession("/")
  await again.prompt(sessionId, "hello")
  expect(again.capturedText()).toBe("Echo: hello")
})
