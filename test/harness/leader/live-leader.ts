import { readFileSync } from "node:fs"
import { createConnection } from "node:net"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import type { LeaderFixture, LeaderStart } from "../../../src/harness/leader/leader-fixture.ts"
import type { LeaderWorld } from "../../../src/harness/leader/leader-world.ts"
import { startLeader } from "../../../src/harness/leader/start-leader.ts"
import { readProfile } from "../../../src/harness/profile/read-profile.ts"
import { liveLocks } from "../../../src/live/lock-table.ts"
import { type LiveAgentWorld, liveAgentWorld } from "../agent-world.ts"

const program = (name: string): string => join(import.meta.dirname, "../fixtures", name)

/** The leader of `fixtures/small-leader.mjs`, and the agent of `fixtures/acp-agent.mjs` as its client, which does not use it. */
export const smallLeader = readProfile({
  id: "small",
  displayName: "small",
  binary: { env: ["SMALL_AGENT"], roleEnv: { leader: "SMALL_LEADER", client: "SMALL_CLIENT" }, interpreter: "node" },
  acp: { args: ["agent", "stdio"], auth: { methodId: "key" }, exitsOnStdinEof: { exits: true, withinMs: 30_000 } },
  mock: { env: { FIXTURE_MOCK_URL: "{mockUrl}", OTHER_URL: "{mockUrl}", FIXTURE_API_KEY: "{apiKey}" } },
  sandbox: { homeEnv: { FIXTURE_HOME: "{stateDir}" }, stateDir: ".small" },
  leader: {
    args: ["leader", "{workspace}"],
    clientArgs: ["agent", "--leader", "stdio"],
    socketEnv: "SMALL_LEADER_SOCKET",
    mockEnv: ["FIXTURE_MOCK_URL", "FIXTURE_API_KEY"],
    env: { SMALL_LOG: "debug" }
  }
})

export interface LiveLeaderWorld extends LiveAgentWorld, LeaderWorld {}

export const liveLeaderWorld = (variables: Readonly<Record<string, string>> = {}): LiveLeaderWorld => ({
  ...liveAgentWorld({ SMALL_LEADER: program("small-leader.mjs"), SMALL_AGENT: program("acp-agent.mjs"), ...variables }),
  locks: liveLocks
})

/** Starts the small leader, or another; it is disposed when the test is over. */
export const startSmallLeader = async (
  world: LeaderWorld,
  options: Partial<LeaderStart> = {}
): Promise<LeaderFixture> => {
  const fixture = await startLeader(world, { profile: smallLeader, ...options })
  onTestFinished(() => fixture[Symbol.asyncDispose]().catch(() => {}))
  return fixture
}

/** The number that the leader behind a socket tells; rejects when nobody serves it. */
export const askLeader = (socketPath: string): Promise<number> =>
  new Promise((resolve, reject) => {
    let text = ""
    const connection = createConnection(socketPath)
    connection.on("data", (bytes) => {
      text += bytes.toString()
    })
    connection.on("end", () => resolve(Number(text)))
    connection.on("error", reject)
  })

/** Numbers that the small leader has said its descendants have. */
export const descendantsOf = ({ home }: LeaderFixture): ReadonlyArray<number> =>
  [...readFileSync(home.paths.log, "utf8").matchAll(/^descendant (\d+)$/gm)].map(([, pid]) => Number(pid))
