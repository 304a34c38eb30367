import type { Clock } from "../../kernel/clock.ts"
import type { FilePort } from "../../ports/file-port.ts"
import type { LockTable } from "../../ports/lock-table.ts"
import type { ParentProcess } from "../../ports/parent-process.ts"
import type { ProcessPort } from "../../ports/process-port.ts"
import type { StreamPort } from "../../ports/stream-port.ts"
import type { Redact } from "../process/process-diagnostics.ts"

/**
 * What a harness is made of, live or simulated.
 *
 * @since 0.1.0
 * @category services
 */
export interface HarnessPorts {
  readonly clock: Clock
  readonly processes: ProcessPort
  readonly files: FilePort
  readonly locks: LockTable
  readonly streams: StreamPort
  readonly parent: ParentProcess
  /** The folder that sandboxes are made in. */
  readonly baseFolder: string
  /** 32 hexadecimal digits that no other run has. */
  readonly runId: string
  readonly redact: Redact
  timeoutScale(): number
  /** Says one line to the person who runs the tests. */
  tell(line: string): void
  /** Whether a line is said of how long things took. */
  readonly showsTiming: boolean
}
