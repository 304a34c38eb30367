/**
 * Time for everything under the supervisor, in milliseconds from an arbitrary start; never decreases.
 *
 * @since 0.1.0
 * @category services
 */
export interface Clock {
  now(): number
  /** Milliseconds since 1970, for dates that are written to the wire; may jump. */
  wallMs(): number
  /** Calls `fire` once after `ms`; the function it gives forgets the timer and may be called at any time. */
  arm(ms: number, label: string, fire: () => void): () => void
}
