import type { AgentProfile, TextMap } from "../profile/agent-profile.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { LeaderBinary } from "./leader-binary.ts"
import type { LeaderClient, LeaderClientStart } from "./leader-client.ts"
import type { LeaderHome } from "./leader-files.ts"
import type { LeaderWatch } from "./leader-generation.ts"

/** A leader that is to be started. */
export interface LeaderStart {
  readonly profile: AgentProfile
  /** Where the mock listens; it is wired into the sandbox, and given to the leader and its clients. */
  readonly mockUrl?: string
  /** Instead of a mock: given to the leader and its clients alone, as for a test without a network. */
  readonly baseUrl?: string
  /** Its executable; that of the role `leader` by default. */
  readonly binary?: string
  /** Where it runs; the workspace of its sandbox by default. */
  readonly cwd?: string
  /** Stays the caller's, who closes it after the fixture. Without one the fixture has its own. */
  readonly sandbox?: Sandbox
  /** Another socket than the profile's. Leader and clients are told of it. */
  readonly socketPath?: string
  /** Behind the arguments of the profile. */
  readonly args?: ReadonlyArray<string>
  /** Variables of the leader over all others. */
  readonly env?: TextMap
  /** How long it may take to accept connections, before the timeout scale. Default 30,000 ms. */
  readonly readyMs?: number
}

/**
 * One leader that was started here and is owned, and the count of the clients that were started for it. Leaders that follow it are
 * observed: they are never signalled, but for what carries our mark when the fixture closes.
 *
 * **Source** agent-harness.md, section 5.2
 *
 * @since 0.1.0
 * @category services
 */
export interface LeaderFixture extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly binary: LeaderBinary
  readonly socketPath: string
  /** Its files, read from outside. */
  readonly home: LeaderHome
  /** The number of the leader while it is owned, also when it has ended; `null` when it was reaped. */
  leaderPid(): number | null
  /** The leader that was last seen to follow it; `null` before. */
  lastObservedPid(): number | null
  /** Clients that were started and are not released, those that are being started included. */
  activeClients(): number
  /** Those that have started and are not released, in the order of their starts. */
  clients(): ReadonlyArray<LeaderClient>
  /**
   * Starts a client. It counts from the beginning of this call until it was closed, or its start has failed.
   *
   * **Fails** as `startAgent` does, and with `LeaderGone` when the fixture is closed
   */
  spawnClient(start?: LeaderClientStart): Promise<LeaderClient>
  /**
   * Looks every 50 ms at the lock file until it holds the number of another process that runs. Before the timeout scale.
   *
   * **Fails** with `WaitTimeout`
   */
  waitForNewLeader(oldPid: number, options: { readonly timeoutMs: number }): Promise<number>
  /** Watches the lock file until the fixture is closed. */
  watch(): LeaderWatch
  /** Kills the group of the leader and waits for nothing. Gives its number. **Fails** with `LeaderGone` when none is owned */
  killLeader(): number
  /**
   * Waits at most 2 s for the end of a leader that was killed or has ended, and gives it up; nothing when that was done.
   *
   * **Fails** with `KillTimeout`; with `InvalidOption` while it runs and nobody has killed it
   */
  reapLeader(): Promise<void>
  /**
   * Asks the leader to end, kills it after 2 s, sweeps what carries our mark, and removes the sandbox of the fixture. A second call
   * waits for the same.
   *
   * **Fails** with `LeaderClientsActive` while there are clients, and nothing is done then; with `KillTimeout`, after which it
   * may be tried again; with `ResourceLeak` when descendants could not be killed
   */
  close(): Promise<void>
  /** Kills the leader, waits for nothing and looks after it no more; the hooks for our own end still do. */
  contain(): void
  /** What is known of the leader, with what is secret replaced. */
  diagnostics(): string
  /** Says a line to the person who runs the tests. */
  tell(line: string): void
  /** The same as `close` whatever clients there are. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Why a test that lets clients elect a leader is to be skipped here; `null` where it is not. @since 0.1.0 @category leaders */
export const detachedLeaderSkip = ({ host }: { readonly host: { readonly findsStrays: boolean } }): string | null =>
  host.findsStrays ? null : "detached leader cannot be contained here"
