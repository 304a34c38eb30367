import type { AgentProfile, TextMap } from "../profile/agent-profile.ts"

/**
 * Two editions of an agent that meet at one socket. Which of them is older is the caller's to see to: in the lanes of an eviction the
 * leader's, in the lane of an adoption the client's.
 *
 * **Source** agent-harness.md, section 5.6
 *
 * @since 0.1.0
 * @category models
 */
export interface SkewLane {
  readonly profile: AgentProfile
  /** The two executables; those of the roles `leader` and `client` by default. */
  readonly leaderBinary?: string
  readonly clientBinary?: string
  /** Behind the arguments of the profile, for leaders and clients of that edition: programs can be told apart by them alone. */
  readonly leaderArgs?: ReadonlyArray<string>
  readonly clientArgs?: ReadonlyArray<string>
  /** As for `startLeader`. */
  readonly mockUrl?: string
  readonly baseUrl?: string
  /** Variables of leader and clients over all others. */
  readonly env?: TextMap
}

/** What came of a lane that did not fail. */
export type LaneOutcome =
  /** The leaders that were seen, one after the other. */
  | { readonly kind: "passed"; readonly leaders: ReadonlyArray<number> }
  | { readonly kind: "skipped"; readonly reason: string }

/** The lanes: what is to happen when the two editions meet. */
export type SkewLaneName =
  /** A client that is newer than the leader replaces it. */
  | "new client evicts old leader"
  /** A client that is older than the leader works with it. */
  | "old client adopts new leader"
  /** A leader that is told of a newer version makes room for it. */
  | "leader relaunches"
  /** When a leader was replaced there is one leader. */
  | "one leader is left"
