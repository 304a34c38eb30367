import type { Clock } from "../../kernel/clock.ts"

/** How often somebody looks, and for how long; milliseconds on the clock as they are. */
export interface Polling {
  readonly everyMs: number
  readonly timeoutMs: number
}

/**
 * Looks again and again until there is something; for the last time when the time is over.
 *
 * **Gives** what `look` gives, `null` when that was nothing until the end
 * **Fails** with what `look` throws
 *
 * @since 0.1.0
 * @category time
 */
export const pollUntil = async <A>(
  clock: Clock,
  { everyMs, timeoutMs }: Polling,
  look: () => A | null | Promise<A | null>
): Promise<A | null> => {
  const end = clock.now() + timeoutMs
  for (;;) {
    const found = await look()
    if (found !== null) return found
    const left = end - clock.now()
    if (left <= 0) return null
    await new Promise<void>((resolve) => void clock.arm(Math.min(everyMs, left), "leader/poll", resolve))
  }
}
