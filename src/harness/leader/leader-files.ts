import type { LeaderPaths } from "./leader-paths.ts"

/** What a leader recorded. */
export interface LeaderEvents {
  readonly events: ReadonlyArray<unknown>
  /** Lines that are no JSON. */
  readonly skipped: number
}

/**
 * The files of a leader, read from outside. Numbers that stand in them are what somebody wrote there: nothing is done to such a process.
 *
 * **Source** agent-harness.md, section 5.4
 *
 * @since 0.1.0
 * @category services
 */
export interface LeaderHome {
  readonly paths: LeaderPaths
  /** The number in the lock file; `null` when there is none. Never fails. */
  readLeaderPid(): Promise<number | null>
  /** Looks every 100 ms until the lock file holds the number of a process that runs; `null` when none came, before the timeout scale. */
  waitForLiveLeader(timeoutMs: number): Promise<number | null>
  /** What the leader wrote to stderr; empty when that cannot be read. */
  leaderLog(): Promise<string>
  /** What the leader recorded; nothing when that cannot be read. */
  leaderEvents(): Promise<LeaderEvents>
  /** The process that holds the lock, by the kernel; `null` when nobody does, and where the machine does not say. */
  lockHolder(): Promise<number | null>
}
