import type { ExitStatus, TerminationReason } from "../../domain/exit-status.ts"
import type { OutputStream } from "../../ports/process-port.ts"
import type { OutputTail } from "./output-tail.ts"
import type { OutputFlow, OutputReader } from "./process-output.ts"

/**
 * A process that we started, with its group.
 *
 * **Source** agent-harness.md, section 1.9
 *
 * @since 0.1.0
 * @category processes
 */
export interface OwnedProcess {
  readonly label: string
  /** Number of its start in the run, which its descendants carry as well. */
  readonly spawnId: number
  /** Its number, which is that of its group; `undefined` once it has been taken off: the number may be another's. */
  readonly pid: number | undefined
  readonly status: ExitStatus | undefined
  /** What ended it; `undefined` while nothing was asked and it runs. */
  readonly terminationReason: TerminationReason | undefined
  /** The end of what it wrote, not made fit to be shown. */
  readonly stdout: OutputTail
  readonly stderr: OutputTail
  /** Whether its output had not ended a second after it had. */
  readonly hasDrainTimedOut: boolean
  /** What signals met other than that there was nobody any more; the first sixteen. */
  readonly lifecycleErrors: ReadonlyArray<string>
  /** Numbers of descendants that left its group and outlived its close: allowed, or impossible to kill. */
  readonly survivors: ReadonlyArray<number>
  /** Waits for its end and the end of its output. Gives `still running` after `ms`. Never ends it. */
  waitFor(ms: number): Promise<ExitStatus | "still running">
  /** The same without a bound. */
  wait(): Promise<ExitStatus>
  /** Waits for its end alone: its output may still come. */
  waitForExit(): Promise<ExitStatus>
  /** Asks its group to end, and waits for nothing. */
  startTerminate(): void
  /** Kills its group, and waits for nothing. */
  startKill(): void
  /**
   * Asks its group to end, kills it after the grace period, and waits until nothing of it is left.
   *
   * **Fails** with `KillTimeout`
   */
  close(): Promise<ExitStatus>
  /** The same without asking. */
  kill(): Promise<ExitStatus>
  /**
   * Writes to its input, text as UTF-8. Resolves when it has left: who waits for that gets back-pressure.
   *
   * **Fails** with `AgentInputClosed` when it reads no more, `FrameTooLarge` when more than 128 MiB wait already
   */
  write(data: string | Uint8Array): Promise<void>
  /** Lets it read an end, behind what was written. The process goes on. */
  endInput(): void
  /**
   * Gives what a piped stream brings to a reader, from its first byte on.
   *
   * **Fails** with `InvalidOption` when the stream is captured, or has a reader
   */
  read(stream: OutputStream, reader: OutputReader): OutputFlow
  /** What is known of it, with what is secret replaced. */
  diagnostics(): string
  /** Kills it if it runs, and waits until nothing of it is left. */
  [Symbol.asyncDispose](): Promise<void>
}
