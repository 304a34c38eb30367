import type { OutputStream } from "../ports/process-port.ts"

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

/** A program of a simulated machine: what it does, or with what code the machine refuses to start it. */
export type SimProgram = SimScript | { readonly refusedWith: string }
