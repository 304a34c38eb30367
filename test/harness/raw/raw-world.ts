import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { readProfile } from "../../../src/harness/profile/read-profile.ts"
import type { RawStdioClient } from "../../../src/harness/raw/raw-client.ts"
import type { RawStart } from "../../../src/harness/raw/raw-options.ts"
import { startRawClient } from "../../../src/harness/raw/start-raw-client.ts"
import { liveAgentWorld } from "../agent-world.ts"

/** The fixture agent as a profile has it. */
export const rawProfile = readProfile({
  id: "fixture",
  binary: { env: ["RAW_AGENT"], interpreter: "node" },
  acp: { args: [], clientCapabilities: {}, auth: "none", exitsOnStdinEof: { exits: true, withinMs: 30_000 } },
  sandbox: { stateDir: ".fixture" }
})

/** What the fixture agent does, in order. */
export type RawStep = Readonly<Record<string, unknown>>

export interface StartedRaw {
  readonly client: RawStdioClient
  readonly world: ReturnType<typeof liveAgentWorld>
  /** What the agent was sent, byte for byte. */
  input(): string
}

/** Starts the fixture agent; it and its world are gone when the test is. */
export const startRaw = async (steps: ReadonlyArray<RawStep>, start: Partial<RawStart> = {}): Promise<StartedRaw> => {
  const world = liveAgentWorld({ RAW_AGENT: join(import.meta.dirname, "../fixtures/raw-agent.mjs") })
  const folder = mkdtempSync(join(tmpdir(), "us-raw-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const log = join(folder, "input")
  const env = { RAW_STEPS: JSON.stringify(steps), RAW_LOG: log, ...start.env }
  const client = await startRawClient(world, { profile: rawProfile, ...start, env })
  onTestFinished(() => client.kill().then(() => {}))
  return { client, world, input: () => readFileSync(log, "utf8") }
}

/** The last step of an agent after which everything it said is to be there. */
export const allSaid: RawStep = { stderr: "all said" }

/** Waits until everything that an agent said before `allSaid` has come in; nothing of it is read. */
export const everythingSaid = async (client: RawStdioClient): Promise<void> => {
  while (!client.stderr().includes("all said")) await new Promise((resolve) => setTimeout(resolve, 5))
  // It stood in the pipe before: it is taken in with the next look at all pipes.
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
}

/** A message as a line. */
export const line = (message: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ jsonrpc: "2.0", ...message })
