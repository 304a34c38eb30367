import type { ExitStatus } from "../domain/exit-status.ts"
import type { Clock } from "../kernel/clock.ts"
import type { OutputStream, StartSpec } from "../ports/process-port.ts"

/**
 * What a simulated process does, step by step; behind the last step it exits with code 0.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimScript {
  readonly steps: ReadonlyArray<SimStep>
  /** What SIGTERM does to it. Default `die`. */
  readonly onTerminate?: "die" | "ignore" | { readonly exitCode: number; readonly afterMs: number }
  /** How long it is still there after SIGKILL, as one that the system waits for is; infinity for ever. Default 0. */
  readonly killDelayMs?: number
}

/** One step. Waiting for longer than infinity, or for input that never comes, is how a process hangs. */
export type SimStep =
  | { readonly kind: "sleep"; readonly ms: number }
  | { readonly kind: "write"; readonly stream: OutputStream; readonly bytes: Uint8Array }
  /** Waits for a piece of input, or for its end. */
  | { readonly kind: "read" }
  | { readonly kind: "close input" }
  | { readonly kind: "close output"; readonly stream: OutputStream }
  /** Starts a child; one that leaves has a session and group of its own. It holds the named streams open. */
  | {
      readonly kind: "fork"
      readonly script: SimScript
      readonly leaves: boolean
      readonly holds: ReadonlyArray<OutputStream>
    }
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "crash"; readonly signal: string }
  /** Hands the process over to code, which ends it; steps behind this one are not reached. */
  | { readonly kind: "run"; readonly start: (self: SimSelf) => SimReader }

/**
 * What code that is a simulated process can do. Once the process has ended, or is about to, nothing happens.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimSelf {
  readonly pid: number
  /** How it was started; `null` for a child of a simulated process. */
  readonly spec: StartSpec | null
  /** Its timers end with the process. */
  readonly clock: Clock
  write(stream: OutputStream, bytes: Uint8Array): void
  closeOutput(stream: OutputStream): void
  end(status: ExitStatus): void
  /** Called when the process ends, however that is: what the machine held for it, such as a socket, is given back. */
  atEnd(give: () => void): void
}

/** What is told of the input of a simulated process, piece by piece. */
export interface SimReader {
  received(bytes: Uint8Array): void
  inputEnded(): void
}

/** A program of a simulated machine: what it does, or with what code the machine refuses to start it. */
export type SimProgram = SimScript | { readonly refusedWith: string }
