import type { ResolvedBinary } from "../sandbox/resolve-binary.ts"

/**
 * What came of a headless run.
 *
 * **Source** agent-harness.md, section 4.2
 *
 * @since 0.1.0
 * @category models
 */
export interface HeadlessResult {
  /** `null` when a signal ended it. Exactly one of the two is there. */
  readonly exitCode: number | null
  readonly signal: string | null
  /** All it wrote, as UTF-8 with U+FFFD for what is none; the end of it where a flag below says so. */
  readonly stdout: string
  readonly stderr: string
  /** Whether the cap ended the run. */
  readonly timedOut: boolean
  /** The cap, as it was in force. */
  readonly capMs: number
  /** From just before its start until its output was read. */
  readonly elapsedMs: number
  /** Whether the beginning was dropped: of more than 64 MiB, or of more than 64 KiB where a stream did not end. */
  readonly stdoutTruncated: boolean
  readonly stderrTruncated: boolean
  /** Whether a stream had not ended two seconds after the run, as when a descendant that left holds it. */
  readonly drainTimedOut: boolean
  /** What is known of its process, with what is secret replaced. */
  readonly diagnostics: string
  /** How the executable was found; `null` for a command that was given. */
  readonly binary: ResolvedBinary | null
  /** The end of stderr with what is secret replaced, for errors. */
  readonly shownStderr: string
  /** The number that its process had. */
  readonly pid: number
}
