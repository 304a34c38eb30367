import { assertHeadlessSuccess, assertNoCrashes, parseNdjson, startHarness } from "llm-understudy/harness"
import { expect, test } from "vitest"

test("one prompt from the command line is answered, line by line", async () => {
  await using harness = await startHarness()
  const mock = await harness.startMock()
  const run = await harness.runPrompt({ profile: "fixture", mock, prompt: "hello", format: "ndjson" })

  assertHeadlessSuccess(run, "hello", { summary: () => `${mock.requests().length} requests` })
  assertNoCrashes(run)
  expect(parseNdjson(run).at(-1)).toMatchObject({ type: "end" })
  expect(run.said.answer).toBe("Echo: hello")
})
