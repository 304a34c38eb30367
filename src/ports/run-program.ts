/**
 * Runs a program to its end, with nothing to read on stdin and in a process group of its own.
 *
 * **Gives** how it ended, whatever that is, and everything it wrote, at most 16 MiB of each stream, the end of it
 * **Fails** with `BinaryNotFound`, `SpawnCwdMissing` or `SpawnFailed` when it could not be started
 *
 * @since 0.1.0
 * @category services
 */
export type RunProgram = (command: ProgramCommand) => Promise<ProgramOutcome>

/** `environment` is the whole of it. A program without a separator is looked up on its `PATH`. */
export interface ProgramCommand {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
}

/** Exactly one of `code` and `signal` is there. */
export interface ProgramOutcome {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}
