import { existsSync, writeFileSync } from "node:fs"
import { fakeAgent, startHarness } from "llm-understudy/harness"
import { expect, test } from "vitest"

const toolCall = { sessionUpdate: "tool_call", toolCallId: "call_1", title: "mkdir", kind: "execute" }
const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }]
const turn = [
  { kind: "update", update: toolCall },
  { kind: "ask", method: "session/request_permission", params: { sessionId: "{sessionId}", toolCall, options } },
  { kind: "terminal", command: "mkdir kelp" }
]

test("an agent asks before it runs a command, and says what came of it", async () => {
  await using harness = await startHarness()
  const sandbox = await harness.makeSandbox({ profile: "fixture", mock: await harness.startMock() })
  const { home, workspace } = sandbox.paths
  writeFileSync(`${home}/script.json`, JSON.stringify({ turn, answer: { kind: "mock" } }))

  const profile = fakeAgent({ script: `${home}/script.json` })
  const agent = await harness.startAgent({ profile, sandbox, terminal: true, permissions: "default" })
  await agent.initialize()
  const { sessionId } = await agent.createSession(workspace)
  await agent.prompt(sessionId, "Make a folder named kelp.")

  expect(agent.capturedText(sessionId)).toBe("Echo: Make a folder named kelp.")
  expect(agent.permissions()).toHaveLength(1)
  expect(existsSync(`${workspace}/kelp`)).toBe(true)
})
