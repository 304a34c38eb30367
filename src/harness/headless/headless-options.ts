import type { AgentProfile, TextMap } from "../profile/agent-profile.ts"
import type { HeadlessSaid } from "../profile/headless-answer.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { HeadlessResult } from "./headless-result.ts"

/** A program with its arguments, and where it runs. */
export interface HeadlessCommand {
  readonly program: string
  readonly args?: ReadonlyArray<string>
  readonly cwd: string
  /** Discarded: only what the sandbox and the options of the run say reaches the child. */
  readonly environment?: TextMap
  /** What it is called in errors. Default: the file name of the program. */
  readonly label?: string
}

/** How a run differs from others. */
export interface HeadlessOptions {
  /** Variables over everything else. */
  readonly env?: TextMap
  /** After so long it is killed, before the timeout scale. Default 60,000 ms. */
  readonly capMs?: number
  /** Whether descendants that left its group may outlive it. Default: no. */
  readonly allowDetached?: boolean
}

/** What an agent is run against: the address of a mock, or none. */
export interface AgentRun {
  readonly profile: AgentProfile
  readonly mockUrl?: string
  /** Where it runs. Default: the workspace of its sandbox. */
  readonly cwd?: string
  /** Stays the caller's. Without one the run has its own, which is removed after it. */
  readonly sandbox?: Sandbox
}

/** What a prompt gave, besides how its process ended. */
export interface PromptResult extends HeadlessResult {
  /** Read from stdout by the format of the profile. */
  readonly said: HeadlessSaid
}
