import { readProfile, startHarness } from "llm-understudy/harness"
import { expect, test } from "vitest"

/** The same as JSON in a file works too: `profile: "./my-agent.json"`. */
const profile = readProfile({
  id: "my-agent",
  binary: { env: ["MY_AGENT"], package: { name: "llm-understudy", bin: "understudy" }, interpreter: "node" },
  acp: { args: ["fake-agent"], auth: "none", exitsOnStdinEof: { exits: true, withinMs: 5_000 } },
  headless: { args: ["fake-agent", "-p", "{prompt}"] },
  mock: { env: { MY_BASE_URL: "{mockUrl}", MY_API_KEY: "{apiKey}" }, wire: ["ChatCompletions"] },
  sandbox: { stateDir: ".my-agent", killSwitches: { MY_TELEMETRY: "0" } }
})

test("an agent of one's own needs a profile, and no code", async () => {
  await using harness = await startHarness()
  const run = await harness.runPrompt({ profile, mock: await harness.startMock(), prompt: "hello" })

  expect(run).toMatchObject({ exitCode: 0, said: { answer: "Echo: hello" } })
})
