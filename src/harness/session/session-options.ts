import type { Clock } from "../../kernel/clock.ts"
import type { Supervisor } from "../../supervisor/supervisor.ts"
import type { JsonObject, ProfileAcp } from "../profile/agent-profile.ts"
import type { AgentProcess } from "./agent-process.ts"
import type { SessionBehaviour } from "./session-behaviour.ts"

/** What a session runs in. */
export interface SessionWorld {
  readonly supervisor: Supervisor
  readonly clock: Clock
  /** By how much waits for the agent are stretched; asked at each use. */
  timeoutScale(): number
  /** Says one line to the person who runs the tests. */
  tell(line: string): void
}

/** Deadlines in milliseconds, before the timeout scale. */
export interface SessionTimes {
  /** Of `initialize` and `authenticate` together. */
  readonly initializeMs: number
  readonly newSessionMs: number
  readonly promptMs: number
}

/** What a session is made of. */
export interface SessionParts extends SessionBehaviour {
  readonly process: AgentProcess
  readonly acp: ProfileAcp
  /** How long calls are waited for that the caller gives no deadline. Default: as for any agent. */
  readonly times?: SessionTimes
  /** Added to those of the profile. */
  readonly capabilities?: JsonObject
  /** Makes text of the agent fit to be shown. */
  readonly shown: (text: string) => string
  /** Gives back what the session has besides its process. */
  readonly release: () => Promise<void>
}
