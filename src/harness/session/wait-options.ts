/** How long something is waited for. */
export interface WaitOptions {
  /** In milliseconds, before the timeout scale; `null` waits for ever. */
  readonly deadlineMs?: number | null
  /** Gives the wait up: the call fails with `Cancelled`, and a late answer is dropped. */
  readonly signal?: AbortSignal
}
