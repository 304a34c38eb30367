import { expect, test } from "vitest"
import { fakeAgent, sessionRecording, startHarness } from "../../../src/harness.ts"
import { fakeAgentProcesses } from "../../cli/fake-agent-running.ts"

const { cli, folder } = fakeAgentProcesses()

test("a session is recorded, without what is secret, and replayed as an agent", async () => {
  await using harness = await startHarness({ variables: { FIXTURE_AGENT_BINARY: cli }, timing: false })
  const script = folder.write("script.json", JSON.stringify({ answer: { kind: "text", text: "the key is k-12345" } }))
  const env = { MY_SECRET: "k-12345" }
  const agent = await harness.startAgent({ profile: fakeAgent({ script }), env })
  await agent.initialize()
  const { sessionId } = await agent.createSession("/w")
  await agent.prompt(sessionId, "hello")
  const variables = agent.sandbox.environment()
  const end = await agent.close({ mode: "eof" })
  const recording = folder.write("session.jsonl", sessionRecording(agent, { variables, end }))

  const again = await harness.startAgent({ profile: fakeAgent({ recording }) })
  await again.initialize()
  const session = await again.createSession("/elsewhere")
  const reply = await again.prompt(session.sessionId, "hello")

  expect(reply).toMatchObject({ ok: true, stopReason: "end_turn" })
  expect(again.capturedText()).toBe("the key is <redacted>")
  expect(await again.close({ mode: "eof" })).toMatchObject({ exitCode: 0 })
})
