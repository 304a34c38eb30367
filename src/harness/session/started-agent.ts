import type { AgentProfile, TextMap } from "../profile/agent-profile.ts"
import type { ResolvedBinary } from "../sandbox/resolve-binary.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { AgentSession } from "./agent-session.ts"
import type { OwnHandlers, SessionBehaviour } from "./session-behaviour.ts"

/** An agent that is to be started, and how its session behaves. */
export interface AgentStart extends SessionBehaviour, OwnHandlers {
  readonly profile: AgentProfile
  /** Where the mock listens; it is wired into the sandbox. Without it the sandbox is left as it is. */
  readonly mockUrl?: string
  /** Where the agent runs; the workspace of its sandbox by default. */
  readonly cwd?: string
  /** Stays the caller's, who closes it after the session. Without one the session has its own. */
  readonly sandbox?: Sandbox
  /** Variables of the sandbox, over what is there. */
  readonly env?: TextMap
  /**
   * Its model, where the profile says that a variable holds it when the agent starts. Others are asked for it in a session: see
   * `createSessionWithModel` and `setModel`.
   */
  readonly model?: string
  /** Global flags, which go where the profile has them. */
  readonly leadingArgs?: ReadonlyArray<string>
  /** Which executable, as in `client`; see `binary.roleEnv` of the profile. */
  readonly role?: string
}

/** An agent that runs, and what it runs in. */
export interface StartedAgent extends AgentSession {
  readonly binary: ResolvedBinary
  /** **Fails** with `SandboxError` when it was taken */
  readonly sandbox: Sandbox
  /**
   * Hands the sandbox to the caller, who closes it from now on; the session goes on.
   *
   * **Fails** with `SandboxError` the second time, and when the sandbox was the caller's anyway
   */
  takeSandbox(): Sandbox
}
