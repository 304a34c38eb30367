import type { Phase } from "../domain/phase.ts"

/**
 * What a test holds of an expectation. Waits are level-triggered, may be called any number of times and have no time
 * limit of their own; they reject with `ExpectationFailed` when the phase can no longer be reached, and when the server
 * has closed. Disposing a handle is `release()` and nothing more.
 *
 * **Source** inference-server.md, sections 4.4 to 4.7; DESIGN, section 4
 *
 * @since 0.1.0
 * @category expectations
 */
export interface ExpectationHandle {
  readonly name: string
  readonly phase: Phase
  /** The primary and every replay count one. */
  readonly claims: number
  /** Any phase but `Pending`. */
  waitReceived(): Promise<void>
  /** The primary reached a barrier: any, or the named one. Also resolves when satisfied. */
  waitBlocked(barrier?: string): Promise<void>
  waitSatisfied(): Promise<void>
  /**
   * More than satisfied, which means that the end was permitted: all of the primary's answer has left to the transport.
   * Rejects when its client went before.
   */
  waitDelivered(): Promise<void>
  waitClaims(count: number): Promise<void>
  /** Opens the named barrier, or all, for ever. */
  release(barrier?: string): void
  /** Takes the expectation back, in final phase `Retired`; false, and nothing changes, when it was claimed already. */
  retire(): boolean
  isSatisfied(): boolean
  /** Throws `ExpectationFailed` unless satisfied. */
  assertSatisfied(): void
  /** Name and state in one line. */
  diagnostic(): string
  [Symbol.dispose](): void
  [Symbol.asyncDispose](): Promise<void>
}
