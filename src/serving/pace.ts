import type { Pacing } from "../domain/pacing.ts"
import { mulberry32 } from "../kernel/mulberry32.ts"

/** The pause before each event, asked for in order, in milliseconds; `null` for none. */
export type Pace = (event: number) => number | null

/**
 * The pauses of one answer that has a pacing of its own.
 *
 * **Takes** the pacing and the chunk delay of the server, which holds where the pacing says nothing
 *
 * @since 0.1.0
 * @category plans
 */
export const paceOf = (pacing: Pacing, delayMs: number | null): Pace => {
  const { tokensPerSecond, jitterMs = 0 } = pacing
  const steady = pacing.delayMs ?? (tokensPerSecond === undefined ? delayMs : 1_000 / tokensPerSecond)
  const first = pacing.firstTokenMs ?? steady
  const draw = mulberry32(pacing.seed ?? 0)
  return (event) => {
    const base = event === 0 ? first : steady
    if (jitterMs === 0) return base
    const offset = (draw() / 2 ** 31 - 1) * jitterMs
    return Math.max(0, (base ?? 0) + offset)
  }
}
