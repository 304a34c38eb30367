import type { ExitStatus } from "../domain/exit-status.ts"
import type { MarkedProcess, OwnerMark } from "../domain/owner-mark.ts"

/**
 * The processes of a machine, as both worlds offer them.
 *
 * **Source** agent-harness.md, section 1.9
 *
 * @since 0.1.0
 * @category services
 */
export interface ProcessPort {
  /** The process group that we run in ourselves; `null` where the machine does not say. */
  readonly ownGroup: number | null
  /** Whether a group can be asked to end, and not only be killed. */
  readonly canTerminate: boolean
  /** Whether the machine shows who carries a mark, so that what left its group can be found. */
  readonly showsMarks: boolean
  /** Looks for a program and a working directory. */
  find(asked: StartSpec): FoundProgram
  /** Starts a program as leader of a session and process group of its own, without a terminal. */
  start(spec: StartSpec, report: ProcessReport): StartedProcess
  /** Signals every process of a group. The caller has checked that the group is ours. */
  signalGroup(group: number, signal: ProcessSignal): SignalOutcome
  signalOne(pid: number, signal: ProcessSignal): SignalOutcome
  /** Whether a process runs under this number: one that has ended and was not yet taken off counts as dead. */
  isAlive(pid: number): boolean
  /** The processes that carry a mark, by number; none where the machine does not show environments. */
  marked(mark: OwnerMark): ReadonlyArray<MarkedProcess>
  /** Kills a process that was found marked, unless its number has become another's. */
  killMarked(found: MarkedProcess): SignalOutcome
  /** Begins to look after the processes of one run. */
  beginRun(runId: string): ProcessRun
}

export type ProcessSignal = "SIGTERM" | "SIGKILL"

/** What came of a signal: it was sent, there was nobody any more, or the machine refused. */
export type SignalOutcome = { readonly kind: "sent" | "gone" } | { readonly kind: "failed"; readonly reason: string }

/** What is to be started. `environment` is the whole of it. */
export interface StartSpec {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  /** Without a piped input the process reads an immediate end. */
  readonly stdin: "null" | "piped"
  /**
   * A file that stderr goes to, made or emptied at the start; what goes there is not reported. Nowhere when there can be no such
   * file. Without one stderr is reported.
   */
  readonly stderrFile?: string
}

/** What there is of a start: the program's absolute path, or what is missing. */
export type FoundProgram =
  | { readonly kind: "found"; readonly program: string }
  | { readonly kind: "cwd missing" | "program missing" }

/** The two streams that a process writes to. */
export type OutputStream = "stdout" | "stderr"

/**
 * What is reported of a process. First `started` or `failed`, once; `exited` at most once after that, inside the machine's own
 * notification and outside any step of the supervisor; each stream ends at most once.
 */
export interface ProcessReport {
  started(pid: number): void
  failed(problem: SpawnProblem): void
  output(stream: OutputStream, bytes: Uint8Array): void
  /** Nothing more comes of a stream; `problem` says why where that was no end. */
  outputEnded(stream: OutputStream, problem: string | null): void
  exited(status: ExitStatus): void
}

/** Why nothing was started: the machine's code, as in `EACCES`, and its words. */
export interface SpawnProblem {
  readonly code: string | null
  readonly reason: string
}

/** A process that was started. Every method may be called at any time, also when it is gone. */
export interface StartedProcess {
  /** Writes to its input; `done` is called once, with what went wrong or `null` when the bytes have left. */
  write(bytes: Uint8Array, done: (problem: string | null) => void): void
  endInput(): void
  /** Stops reading a stream, or goes on. What is under way may still be reported. */
  pause(stream: OutputStream): void
  resume(stream: OutputStream): void
  /** Gives all its pipes back; nothing more is reported of them. */
  release(): void
}

/** A run's processes in the care of the machine: what is guarded does not outlive us, however we end. */
export interface ProcessRun {
  /** Kills a group when we end. The function it gives ends that. */
  guard(group: number): () => void
  /** Ends the run: `done` is called when the machine keeps nothing of it. */
  end(done: () => void): void
}
