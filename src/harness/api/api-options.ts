import type { HeadlessCommand, HeadlessOptions } from "../headless/headless-options.ts"
import type { LeaderStart } from "../leader/leader-fixture.ts"
import type { SkewLane } from "../leader/skew-lane.ts"
import type { ProcessOptions } from "../process/process-options.ts"
import type { AgentProfile } from "../profile/agent-profile.ts"
import type { RawStart } from "../raw/raw-options.ts"
import type { Sandbox, SandboxOptions } from "../sandbox/sandbox.ts"
import type { AgentStart } from "../session/started-agent.ts"

/** The id of a built-in profile, the path of a JSON file, or a profile that was read already. */
export type ProfileChoice = string | AgentProfile

/** Where the model provider of an agent is: a mock server, or a URL on this machine that includes `/v1`. */
export type MockAddress = string | { url(): string }

/** An agent, and what it is run against. */
export interface AgentChoice {
  readonly profile: ProfileChoice
  /** Wired into the sandbox as the profile says. Without it the agent has no provider. */
  readonly mock?: MockAddress
}

/** An agent that is to be started for a session over ACP. */
export interface AgentOptions extends AgentChoice, Omit<AgentStart, "profile" | "mockUrl"> {}

/** A leader that is to be started. */
export interface LeaderOptions extends AgentChoice, Omit<LeaderStart, "profile" | "mockUrl"> {}

/** Two editions of an agent that are to meet at one socket. */
export interface SkewLaneOptions extends AgentChoice, Omit<SkewLane, "profile" | "mockUrl"> {}

/** An agent that is to be started for exact bytes. */
export interface RawOptions extends AgentChoice, Omit<RawStart, "profile" | "mockUrl"> {}

/** How an agent is run to its end. */
export interface RunOptions extends AgentChoice, HeadlessOptions {
  /** Where it runs. Default: the workspace of its sandbox. */
  readonly cwd?: string
  /** Stays the caller's. Without one the run has its own, which is removed after it. */
  readonly sandbox?: Sandbox
}

/** One prompt. */
export interface PromptOptions extends RunOptions {
  readonly prompt: string
  /** A format that the profile has, as in `text`, `json`, `ndjson`. */
  readonly format?: string
  readonly model?: string
}

/** A run with exactly these arguments. */
export interface ArgumentsOptions extends RunOptions {
  readonly args: ReadonlyArray<string>
}

/** Any program, run to its end in a sandbox. */
export interface CommandOptions extends Omit<HeadlessCommand, "cwd" | "environment">, HeadlessOptions {
  /** Where it runs. Default: the workspace of its sandbox. */
  readonly cwd?: string
  /** Stays the caller's. Without one the run has its own, which is removed after it. */
  readonly sandbox?: Sandbox
}

/** How a sandbox is made. */
export interface SandboxChoice extends Omit<SandboxOptions, "profile" | "mockUrl"> {
  readonly profile?: ProfileChoice
  readonly mock?: MockAddress
}

/** A program that is to be started. */
export interface SpawnOptions extends Omit<ProcessOptions, "environment" | "cwd"> {
  /** Where it runs, and the environment that it has. Without one, `cwd` and `environment` say so. */
  readonly sandbox?: Sandbox
  /** Default: the workspace of `sandbox`, else the folder of this process. */
  readonly cwd?: string
  /** All variables; nothing is inherited. Default: those of `sandbox`, else none but `PATH`. */
  readonly environment?: Readonly<Record<string, string>>
}

/** What a scope does at its end for the test. */
export interface DeferOptions {
  /** How long it may take. Default: 6,600 ms, what the end of a process may take. */
  readonly boundMs?: number
}

/** The URL of a mock. */
export const urlOf = (mock: MockAddress): string => (typeof mock === "string" ? mock : mock.url())
