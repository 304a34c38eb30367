import type { CloseMode } from "../../domain/close-mode.ts"
import type { TextMap } from "../profile/agent-profile.ts"
import type { AgentSession, SessionEnd } from "../session/agent-session.ts"
import type { OwnHandlers, SessionBehaviour } from "../session/session-behaviour.ts"

/**
 * A session with a client of a leader: 60 s for `initialize`, 30 s for `session/new` and for a prompt. Its registration with the
 * fixture is released when nothing of its process is left.
 *
 * **Source** agent-harness.md, section 5.3
 *
 * @since 0.1.0
 * @category services
 */
export interface LeaderClient extends AgentSession {
  /** How often it said that it has found a leader again. */
  reconnectedCount(): number
  modelsUpdateCount(): number
  settingsUpdateCount(): number
  /** Ends it as any session, and releases its registration. */
  close(options?: { readonly mode?: CloseMode }): Promise<SessionEnd>
  /** Kills it, also when it could not be ended before; and releases its registration. */
  killAndClose(): Promise<SessionEnd>
  /** Kills it and waits for nothing; it stays registered. */
  containFailedCleanup(): void
}

/** A client that is to be started, and how its session behaves. */
export interface LeaderClientStart extends SessionBehaviour, OwnHandlers {
  /** Where it finds its model; where the leader does by default. */
  readonly baseUrl?: string
  /** Its executable; that of the role `client` by default. */
  readonly binary?: string
  /** Where it runs; the workspace of the sandbox by default. */
  readonly cwd?: string
  /** Behind the arguments of the profile. */
  readonly args?: ReadonlyArray<string>
  /** Variables over all others. */
  readonly env?: TextMap
}
