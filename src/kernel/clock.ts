/**
 * Time for everything under the supervisor, in milliseconds from an arbitrary start; never decreases.
 *
 * @since 0.1.0
 * @category services
 */
export interface Clock {
  now(): number
  /** Calls `fire` once after `ms`; the function it gives forgets the timer and may be called at any time. */
  arm(ms: number, label: string, fire: () => void): () => void
}
