import type { Clock } from "../../kernel/clock.ts"
import type { StreamPort } from "../../ports/stream-port.ts"
import type { LeaderLock } from "./leader-ports.ts"

/**
 * What a client of a fake leader needs of its process.
 *
 * @since 0.1.0
 * @category services
 */
export interface FakeLeaderClientPorts {
  readonly clock: Clock
  readonly streams: StreamPort
  readonly socketPath: string
  /** The version of its program. */
  readonly version: string
  readonly lock: Pick<LeaderLock, "take" | "giveBack"> & {
    /** The process that holds the guard and is alive; `null` for nobody. */
    holder(): number | null
  }
  /** Starts a leader that outlives this process. Gives what went wrong, or `null`. */
  startLeader(): string | null
  /** Asks a process to end, or ends it. */
  signal(pid: number, signal: "SIGTERM" | "SIGKILL"): void
  /** Writes a line to stdout; its LF is added. */
  write(line: string): void
  /** Writes a line to stderr; its LF is added. */
  log(line: string): void
  /** Ends the process. Nothing is called after it. */
  end(code: number): void
}
