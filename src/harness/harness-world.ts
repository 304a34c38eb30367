import type { Clock } from "../kernel/clock.ts"
import type { StreamPort } from "../ports/stream-port.ts"
import type { Supervisor } from "../supervisor/supervisor.ts"
import type { Redact } from "./process/process-diagnostics.ts"
import type { ProcessHost } from "./process/process-host.ts"
import type { SandboxWorld } from "./sandbox/sandbox.ts"

/**
 * What agents are driven in, live or simulated.
 *
 * @since 0.1.0
 * @category services
 */
export interface HarnessWorld {
  readonly supervisor: Supervisor
  readonly clock: Clock
  readonly host: ProcessHost
  readonly sandboxes: SandboxWorld
  /** The sockets that leaders are spoken to over. */
  readonly streams: StreamPort
  /** Makes what an agent wrote fit to be shown. */
  readonly redact: Redact
  /** By how much waits for the work of agents are stretched; read at each use. */
  timeoutScale(): number
  /** Whether a line is said of how long things took. */
  readonly showsTiming: boolean
}
