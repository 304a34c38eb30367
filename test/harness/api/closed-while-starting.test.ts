import { expect, test } from "vitest"
import { startHarness } from "../../../src/harness.ts"
import { fakeAgentProcesses } from "../../cli/fake-agent-running.ts"

/* Seen to fail when a scope passes on what a start that it cut short failed with: a LeaderNotReady. */

const { cli } = fakeAgentProcesses()

test("a leader whose harness closes while it is being started was cancelled, and the cause says how it ended", async () => {
  const harness = await startHarness({ variables: { FIXTURE_AGENT_BINARY: cli }, watchdog: false })
  const running = new Promise<void>((resolve) => {
    harness.watchTransitions(({ chart, state }) => {
      if (chart === "owned-process" && state.includes("running")) resolve()
    })
  })
  const starting = harness.startLeader({ profile: "fixture" }).catch((error: unknown) => error)
  await running
  const closing = harness.close()

  expect(await starting).toMatchObject({ _tag: "Cancelled", cause: { _tag: "LeaderNotReady" } })
  await closing
})
