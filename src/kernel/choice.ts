/**
 * The only source of nondeterminism of a run.
 *
 * **Gives** an integer `0 <= k < n`, 0 being the calm default
 * **Source** DESIGN, section 3
 *
 * @since 0.1.0
 * @category services
 */
export interface Choice {
  draw(n: number, label: string): number
}
