/**
 * How a process ended: with an exit code, or by a signal; the other one is `null`.
 *
 * @since 0.1.0
 * @category processes
 */
export interface ExitStatus {
  readonly code: number | null
  /** Its name, as in `SIGKILL`. */
  readonly signal: string | null
}

/**
 * Why a process ended: what was asked of it last before its end was seen, `NaturalExit` when nothing was.
 *
 * **Source** agent-harness.md, section 1.9.5
 *
 * @since 0.1.0
 * @category processes
 */
export type TerminationReason = "NaturalExit" | "GracefulTerminate" | "HardKill" | "HardKillAfterGrace" | "DropCleanup"

/** An exit status in words, as in `exit code 7` or `signal SIGKILL`. */
export const exitStatusText = ({ code, signal }: ExitStatus): string =>
  signal === null ? `exit code ${code}` : `signal ${signal}`
