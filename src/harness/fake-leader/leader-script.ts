import { leaderProtocolVersion } from "../../domain/fake-leader-limits.ts"
import { calmScript, type FakeAgentScript } from "../fake-agent/script.ts"

/**
 * What a fake leader does, as plain data.
 *
 * **Source** agent-harness.md, appendix A
 *
 * @since 0.1.0
 * @category models
 */
export interface FakeLeaderScript {
  /** The version of its program, as clients are told. */
  readonly version: string
  readonly protocolVersion: number
  /** What it says it can do, besides what it says it cannot. */
  readonly capabilities: ReadonlyArray<string>
  /** Until then it answers requests with -32002. */
  readonly readyAfterMs: number
  /** Whether it listens at all. */
  readonly listens: boolean
  /** When it ends by itself, and how; `null` for never. */
  readonly exitAfter: { readonly ms: number; readonly code: number } | null
  /** The agent behind it. */
  readonly agent: FakeAgentScript
}

/** What a leader of these days can do of that which we know. */
export const leaderCapabilities: ReadonlyArray<string> = ["control_v1", "relaunch_v1"]

/**
 * A fake leader that does nothing wrong.
 *
 * @since 0.1.0
 * @category constructors
 */
export const calmLeader = (version: string): FakeLeaderScript => ({
  version,
  protocolVersion: leaderProtocolVersion,
  capabilities: leaderCapabilities,
  readyAfterMs: 0,
  listens: true,
  exitAfter: null,
  agent: calmScript
})

/** Capabilities as a leader tells them. */
export const toldCapabilities = (names: ReadonlyArray<string>): Readonly<Record<string, unknown>> => ({
  control_v1: false,
  runtime_cpu_profile: false,
  profile_formats: [],
  workspace_exposure: false,
  relaunch_v1: false,
  ...Object.fromEntries(names.map((name) => [name, true]))
})
