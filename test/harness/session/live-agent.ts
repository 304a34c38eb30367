import { join } from "node:path"
import { onTestFinished } from "vitest"
import { readProfile } from "../../../src/harness/profile/read-profile.ts"
import { startAgent } from "../../../src/harness/session/start-agent.ts"
import type { AgentStart, StartedAgent } from "../../../src/harness/session/started-agent.ts"
import { type LiveAgentWorld, liveAgentWorld } from "../agent-world.ts"

const program = join(import.meta.dirname, "../fixtures/acp-agent.mjs")

/** The agent of `fixtures/acp-agent.mjs`. */
export const smallAgent = readProfile({
  id: "small",
  displayName: "small",
  binary: { env: ["SMALL_AGENT"], interpreter: "node" },
  acp: { args: ["agent", "stdio"], auth: { methodId: "key" }, exitsOnStdinEof: { exits: true, withinMs: 30_000 } },
  mock: { env: { FIXTURE_MOCK_URL: "{mockUrl}", FIXTURE_API_KEY: "{apiKey}" } },
  sandbox: { homeEnv: { FIXTURE_HOME: "{stateDir}" }, stateDir: ".small" }
})

export const smallWorld = (): LiveAgentWorld => liveAgentWorld({ SMALL_AGENT: program })

/** Starts it; it is closed when the test is over. */
export const startSmall = async (world: LiveAgentWorld, options: Partial<AgentStart> = {}): Promise<StartedAgent> => {
  const agent = await startAgent(world, { profile: smallAgent, ...options })
  onTestFinished(async () => void (await agent.close({ mode: "kill" }).catch(() => {})))
  return agent
}

/** Starts it and opens a session; gives what sends a prompt and reads the text of its answer. */
export const openSmall = async (world: LiveAgentWorld, options: Partial<AgentStart> = {}) => {
  const agent = await startSmall(world, options)
  await agent.initialize()
  const { sessionId } = await agent.createSession(agent.sandbox.paths.workspace)
  const ask = async (text: string): Promise<string> => {
    const mark = agent.mark()
    await agent.prompt(sessionId, text)
    return agent
      .updatesSince(mark, sessionId)
      .map(({ messageText }) => messageText ?? "")
      .join("")
  }
  return { agent, sessionId, ask }
}
