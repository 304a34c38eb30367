import { existsSync, readFileSync } from "node:fs"
import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { startHarness } from "llm-understudy/harness"
import { chat } from "llm-understudy/sse"
import { expect, test } from "vitest"

const model = "tide-1"
const isHere = process.env["GROK_BINARY"] || existsSync("node_modules/@xai-official/grok")

test.skipIf(!isHere)("grok asks before it writes a file, and says what came of it", async () => {
  await using harness = await startHarness()
  const mock = await harness.startMock()
  const agent = await harness.startAgent({ profile: "grok", mock, permissions: { scripted: ["allow_once"] } })
  const { workspace } = agent.sandbox.paths

  const words = JSON.stringify({ file_path: `${workspace}/kelp.txt`, content: "brown" })
  const call = { model, callId: "call_1", name: "write", arguments: words }
  const turn = InferenceRequestMatcher.foreground("ChatCompletions")
  mock.expectResponse("asks for the tool", turn, ScriptedResponse.sse(chat.call(call)))
  mock.expectResponse("answers", turn, ScriptedResponse.sse(chat.text({ model, text: "It is there." })))

  await agent.initialize()
  const { sessionId } = await agent.createSession(workspace)
  await agent.prompt(sessionId, "Write down the colour of kelp.")

  expect(agent.capturedText(sessionId)).toBe("It is there.")
  expect(agent.permissions()).toHaveLength(1)
  expect(readFileSync(`${workspace}/kelp.txt`, "utf8")).toBe("brown")
  mock.verify()
})
