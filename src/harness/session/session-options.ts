import type { Clock } from "../../kernel/clock.ts"
import type { Supervisor } from "../../supervisor/supervisor.ts"
import type { JsonObject, ProfileAcp } from "../profile/agent-profile.ts"
import type { AgentProcess } from "./agent-process.ts"
import type { PermissionPolicy } from "./permission-policy.ts"
import type { AgentRequest, RequestAnswer } from "./request-book.ts"

/** What a session runs in. */
export interface SessionWorld {
  readonly supervisor: Supervisor
  readonly clock: Clock
  /** By how much waits for the agent are stretched; asked at each use. */
  timeoutScale(): number
  /** Says one line to the person who runs the tests. */
  tell(line: string): void
}

/** Answers requests of one method. What it throws is answered with error -32603. */
export type RequestHandler = (request: AgentRequest) => RequestAnswer | Promise<RequestAnswer>

/** How a session behaves. */
export interface SessionBehaviour {
  /** Ends the session with `ProtocolViolation` at the first line that is no message or breaks a rule. Default `false`. */
  readonly strict?: boolean
  /** How requests for permission are answered. Default `default`. */
  readonly permissions?: PermissionPolicy
  /** Who answers other requests, by method; custom methods by their bare names. Those of no handler are refused. */
  readonly handlers?: Readonly<Record<string, RequestHandler>>
  /** Whether `initialize`, `session/new` and `prompt` say how long they took. Default `true`. */
  readonly timing?: boolean
}

/** What a session is made of. */
export interface SessionParts extends SessionBehaviour {
  readonly process: AgentProcess
  readonly acp: ProfileAcp
  /** Added to those of the profile. */
  readonly capabilities?: JsonObject
  /** Makes text of the agent fit to be shown. */
  readonly shown: (text: string) => string
  /** Gives back what the session has besides its process. */
  readonly release: () => Promise<void>
}
