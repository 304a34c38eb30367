import type { Readable, Writable } from "node:stream"
import type { OpenSimWorker } from "../campaign/sim-worker.ts"

/** The signals that ask a command to stop; `SIGHUP`, the end of its terminal, only where a command asks for it. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP"

/**
 * What a command touches of its process, so that it also runs inside a test.
 *
 * @since 0.1.0
 * @category services
 */
export interface CommandIo {
  readonly stdout: Writable
  readonly stderr: Writable
  /**
   * Opens standard input; `null` when it is better left alone. A command that opens it destroys it when it ends, or the
   * process would stay.
   */
  readonly stdin: () => Promise<Readable | null>
  /** Calls `see` for each signal to stop, from now to the end of the process. */
  readonly onSignal: (see: (signal: StopSignal) => void, options?: { readonly hangUp?: boolean }) => void
  /** Says that the command was told to stop, other than by a signal: at its end it waits for no reader that takes nothing. */
  readonly toldToStop?: () => void
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** Ends the process at once. */
  readonly exit: (code: number) => void
  /** The file that holds this command, where it is a file. */
  readonly program?: string
  /** Starts what runs simulated programs. Default: a thread, which can be ended whatever its program does. */
  readonly openSimWorker?: OpenSimWorker
}

/** A stop by signal is a clean end. @since 0.1.0 @category models */
export const exitCodes = { ok: 0, failed: 1, usage: 2, SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/**
 * A run that could not be started or finished: exit code 1. The message names what was asked and what to do next.
 *
 * @since 0.1.0
 * @category errors
 */
export class RunFailed extends Error {
  readonly _tag = "RunFailed"
  /** Lines that go with the message, each complete by itself. */
  readonly details: ReadonlyArray<string>
  constructor(message: string, details: ReadonlyArray<string> = []) {
    super(message)
    this.name = "RunFailed"
    this.details = details
  }
}
