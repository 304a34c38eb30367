import type { AgentRequest, RequestAnswer } from "./agent-request.ts"
import type { PermissionPolicy } from "./permission-policy.ts"

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

/** Which requests of the agent are answered by the harness itself. */
export interface OwnHandlers {
  /** Answers `fs/*` for files below `cwd`, and says so in `initialize`. Default `false`. */
  readonly fs?: boolean
  /** Answers `terminal/*`, and says so in `initialize`. Default `false`. */
  readonly terminal?: boolean
}
