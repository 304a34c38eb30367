import type { AgentProfile, TextMap } from "../profile/agent-profile.ts"
import type { RawAnswers } from "./agent-requests.ts"

/** How a raw client behaves. */
export interface RawBehaviour extends RawAnswers {
  /** Loses responses that a wait passes over, where otherwise later waits find them. Default `false`. */
  readonly discardUnmatched?: boolean
}

/** Which agent is started, and how. */
export interface RawStart extends RawBehaviour {
  readonly profile: AgentProfile
  readonly mockUrl?: string
  /** Where the agent runs. Default: the workspace of its sandbox. */
  readonly cwd?: string
  /** Variables over everything else. */
  readonly env?: TextMap
  /** Global flags, before the arguments of the profile or behind them, as the profile says. */
  readonly leadingArgs?: ReadonlyArray<string>
}
