import type { Transition } from "../../domain/transition.ts"
import type { LeaderClient } from "../leader/leader-client.ts"
import type { LeaderHome } from "../leader/leader-files.ts"
import type { ReplaySince } from "../leader/replay-since.ts"
import type { LaneOutcome, SkewLaneName } from "../leader/skew-lane.ts"
import type { ProfileChoice, SkewLaneOptions } from "./api-options.ts"

/** Whose home a leader lives in. */
export interface LeaderHomeChoice {
  readonly profile: ProfileChoice
  readonly home: string
  /** Its socket, where that is another than the profile's. */
  readonly socketPath?: string
}

/** The outermost scope, whose processes all carry the mark of one run. */
export interface HarnessRun {
  readonly runId: string
  /** The last 200 steps of all charts, oldest first. */
  transitions(): ReadonlyArray<Transition>
  /** Calls `see` for every later step of a chart; the function it gives ends that. */
  watchTransitions(see: (transition: Transition) => void): () => void
  /** The files of a leader that nobody here has started; `LeaderFixture.home` are those of one that was. **Fails** with `ProfileInvalid` */
  leaderHome(choice: LeaderHomeChoice): Promise<LeaderHome>
  /** Looks every 100 ms until a client of a leader has found one again, or has been told more than before; whether it has. */
  waitForReplay(
    client: Pick<LeaderClient, "reconnectedCount" | "notificationCount">,
    since: ReplaySince
  ): Promise<boolean>
  /** Looks every 100 ms until no process runs under a number; whether that came to be, before the timeout scale. */
  waitForPidDeath(pid: number, timeoutMs: number): Promise<boolean>
  /**
   * Lets two editions of an agent meet at one socket, and ends all that was started for it. Without executables they are those of the
   * roles `leader` and `client`, by the variables of the profile. Where both are one, and where a lane cannot be run, it is skipped,
   * which is said.
   *
   * **Fails** with `WaitTimeout`, `LeaderGone`, `ResourceLeak` for what did not happen as it should, and as `startLeader` does
   */
  runSkewLane(lane: SkewLaneName, options: SkewLaneOptions): Promise<LaneOutcome>
  /** Why tests in which clients elect a leader are to be skipped on this machine; `null` where they are not. */
  detachedLeaderSkip(): string | null
}
