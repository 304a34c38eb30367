import type { Clock } from "../../kernel/clock.ts"
import type { AgentEnd } from "../../ports/agent-surroundings.ts"
import type { StreamPort } from "../../ports/stream-port.ts"
import type { FakeAgentPorts } from "../fake-agent/agent-ports.ts"

/**
 * The lock of a leader: a guard that one process holds at a time, and the file with its number, which anybody may read.
 *
 * **Fails** with what the file system says
 *
 * @since 0.1.0
 * @category services
 */
export interface LeaderLock {
  /** Takes the guard if nobody holds it who is alive. */
  take(): boolean
  /** Writes the number of this process, when the guard was taken. */
  write(): void
  /** Removes the file with the number, unless it holds another's, and gives the guard back. */
  giveBack(): void
}

/**
 * What a fake leader needs of its process.
 *
 * @since 0.1.0
 * @category services
 */
export interface FakeLeaderPorts {
  readonly clock: Clock
  readonly pid: number
  readonly streams: StreamPort
  readonly socketPath: string
  readonly lockPath: string
  readonly lock: LeaderLock
  /** What the agent behind it has. */
  readonly agent: Pick<FakeAgentPorts, "store" | "askModel">
  /** Writes a line to the log; without LF. */
  log(line: string): void
  /** Writes a line to the log of events; without LF. */
  record(line: string): void
  /** Ends the process. Nothing is called after it. */
  end(end: AgentEnd): void
}
