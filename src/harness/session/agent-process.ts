import type { ExitStatus, TerminationReason } from "../../domain/exit-status.ts"
import type { StdioPipe } from "../wire/stdio-wire.ts"

/** What a session needs of the process of its agent; an owned process has it, and so has a simulated agent. */
export interface AgentProcess extends StdioPipe {
  readonly pid: number | undefined
  readonly status: ExitStatus | undefined
  readonly terminationReason: TerminationReason | undefined
  /** The end of what it wrote, not made fit to be shown. */
  readonly stdout: { text(): string }
  readonly stderr: { text(): string }
  /** Waits for its end and the end of its output. */
  wait(): Promise<ExitStatus>
  startTerminate(): void
  startKill(): void
  /** Asks it to end, kills it when it does not, and waits until nothing of it is left. */
  close(): Promise<ExitStatus>
  kill(): Promise<ExitStatus>
  /** What is known of it, with what is secret replaced. */
  diagnostics(): string
}
