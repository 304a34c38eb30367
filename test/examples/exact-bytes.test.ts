import { startHarness } from "llm-understudy/harness"
import { expect, test } from "vitest"

test("an id comes back as it was sent, whatever JSON does to a slash", async () => {
  await using harness = await startHarness()
  const client = await harness.startRawClient({ profile: "fixture" })

  await client.sendLine('{"jsonrpc":"2.0","id":"A-1","method":"session\\/new","params":{"cwd":"\\/","mcpServers":[]}}')
  const answer = await client.responseForId("A-1")

  expect(answer).toMatchObject({ result: { sessionId: expect.any(String) } })
})
