import type { Transition } from "./transition.ts"

/**
 * What is known beside a failure.
 *
 * @since 0.1.0
 * @category errors
 */
export interface FailureDetails {
  /** The last steps of all charts of the harness before it, at most 200, oldest first. */
  readonly transitions: ReadonlyArray<Transition>
  /** What went wrong when the harness closed after it; `null` when nothing did. */
  readonly cleanup: Error | null
}

const known = new WeakMap<object, FailureDetails>()

/** Keeps details of a failure; what was kept of it before is completed, not replaced. */
export const noteFailure = (failure: unknown, details: Partial<FailureDetails>): void => {
  if (typeof failure !== "object" || failure === null) return
  const before = known.get(failure)
  known.set(failure, {
    transitions: before?.transitions ?? details.transitions ?? [],
    cleanup: before?.cleanup ?? details.cleanup ?? null
  })
}

/**
 * What the harness knows beside an error that came out of it, or of a body that it ran; `null` for any other.
 *
 * **Source** agent-harness.md, section 7.6
 *
 * @since 0.1.0
 * @category errors
 */
export const failureDetails = (failure: unknown): FailureDetails | null =>
  typeof failure === "object" && failure !== null ? (known.get(failure) ?? null) : null
