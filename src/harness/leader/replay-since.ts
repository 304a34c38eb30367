/** Before what a replay is one. */
export interface ReplaySince {
  /** `notificationCount()` before. */
  readonly baseline: number
  /** `reconnectedCount()` before; 0 by default, which waits for the first. */
  readonly since?: number
  /** Before the timeout scale. */
  readonly timeoutMs: number
}
