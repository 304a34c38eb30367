import { onTestFinished } from "vitest"
import type { LeaderClient, LeaderClientStart } from "../../../src/harness/leader/leader-client.ts"
import type { LeaderFixture, LeaderStart } from "../../../src/harness/leader/leader-fixture.ts"
import type { LeaderWorld } from "../../../src/harness/leader/leader-world.ts"
import { startLeader } from "../../../src/harness/leader/start-leader.ts"
import { builtInProfile } from "../../../src/harness/profile/built-in-profiles.ts"
import { fakeAgentProcesses } from "../../cli/fake-agent-running.ts"
import { type LiveLeaderWorld, liveLeaderWorld } from "./live-leader.ts"

/** The leader and clients of the profile `fixture`, as real processes. */
export const fixtureLeader = () => {
  const { cli } = fakeAgentProcesses()
  const profile = builtInProfile("fixture")
  return {
    cli,
    profile,
    world: (variables: Readonly<Record<string, string>> = {}): LiveLeaderWorld =>
      liveLeaderWorld({ FIXTURE_AGENT_BINARY: cli, ...variables }),
    /** Disposed when the test is over. */
    async start(world: LeaderWorld, options: Partial<LeaderStart> = {}): Promise<LeaderFixture> {
      const fixture = await startLeader(world, { profile, ...options })
      onTestFinished(() => fixture[Symbol.asyncDispose]().catch(() => {}))
      return fixture
    }
  }
}

/** A client that looks for a new leader soon. */
export const clientOf = async (fixture: LeaderFixture, start: LeaderClientStart = {}): Promise<LeaderClient> => {
  const client = await fixture.spawnClient({ ...start, env: { FIXTURE_RECONNECT_DELAY: "50", ...start.env } })
  await client.initialize()
  return client
}

/** A session of a client; gives what sends a prompt and reads the text of its answer. */
export const sessionOf = async (fixture: LeaderFixture, client: LeaderClient) => {
  const { sessionId } = await client.createSession(fixture.sandbox.paths.workspace)
  return {
    sessionId,
    async ask(text: string): Promise<string> {
      const mark = client.mark()
      await client.prompt(sessionId, text, { deadlineMs: 90_000 })
      const updates = client.updatesSince(mark, sessionId)
      return updates.map(({ messageText }) => messageText ?? "").join("")
    }
  }
}
