import { makeRawClient, type RawParts } from "../../src/harness/raw/make-raw-client.ts"
import type { RawStdioClient } from "../../src/harness/raw/raw-client.ts"
import type { SimScript, SimStep } from "../../src/sim/process-script.ts"
import { type AgentStage, makeAgentStage } from "./agent-stage.ts"

/** A simulated agent with a raw client on it. */
export interface RawStage extends AgentStage {
  readonly client: RawStdioClient
  /** How often what the client has besides its process was given back. */
  releases(): number
}

/** A step that writes. */
export const says = (text: string, stream: "stdout" | "stderr" = "stdout"): SimStep => ({
  kind: "write",
  stream,
  bytes: new TextEncoder().encode(text)
})

export const forever: SimStep = { kind: "sleep", ms: Number.POSITIVE_INFINITY }

export const pauses = (ms: number): SimStep => ({ kind: "sleep", ms })

/** @since 0.1.0 @category constructors */
export const makeRawStage = async (
  script: SimScript,
  parts: Partial<RawParts> = {},
  options: Parameters<typeof makeAgentStage>[1] = {}
): Promise<RawStage> => {
  const stage = makeAgentStage(script, options)
  const { host, supervisor, redact, timeoutScale } = stage.world
  const spawned = host.spawn({
    program: "/agent",
    cwd: "/",
    environment: {},
    stdin: "piped",
    stdout: "piped"
  })
  await stage.settled(spawned)
  let releases = 0
  const client = makeRawClient({
    supervisor,
    process: await spawned,
    shown: (text) => redact(text, {}),
    timeoutScale,
    eofMs: 10_000,
    release: async () => {
      releases++
    },
    ...parts
  })
  return { ...stage, client, releases: () => releases }
}
