import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { startHarness } from "llm-understudy/harness"
import { expect, test } from "vitest"

const client = fileURLToPath(new URL("acp-client.mjs", import.meta.url))
const agent = ["npx", "llm-understudy", "fake-agent"]

/** What the client prints in front of a fake agent with these options. */
const printed = async (options: ReadonlyArray<string>, variables = {}) => {
  const env = { ...process.env, ...variables }
  return (await promisify(execFile)("node", [client, ...agent, ...options], { env })).stdout.trimEnd().split("\n")
}

test.each([
  { agent: "is late", options: ["--delay", "session/prompt#1=500"], prints: ["Echo: one", "Echo: two"] },
  { agent: "prints a line of npm", options: ["--pollute", "before=npm warn"], prints: ["Echo: one", "Echo: two"] },
  { agent: "prints broken JSON", options: ["--bad-json"], prints: ["Echo: one", "Echo: two"] },
  { agent: "refuses", options: ["--error", "session/new=-32000:log in first"], prints: ["failed: log in first"] },
  { agent: "crashes", options: ["--exit-on", "session/prompt#2=3"], prints: ["Echo: one", "failed: the agent is gone"] }
])("the client says what came of it when the agent $agent", async ({ options, prints }) => {
  expect(await printed(options)).toEqual(prints)
})

test("the client gives up an agent that never answers", async () => {
  const options = ["--silent", "session/prompt"]

  expect(await printed(options, { PATIENCE_MS: "100" })).toEqual(["failed: session/prompt is late"])
})

test("the client says to a recorded agent what it said when that was recorded", async () => {
  await using harness = await startHarness()
  const recording = `${(await harness.makeSandbox()).paths.home}/session.jsonl` // or a file beside the test

  const first = await printed(["--record", recording, "--answer", "brown"])
  expect(await printed(["--replay", recording])).toEqual(first)
})
