import { liveClock } from "../live/clock.ts"

/** A run that was begun is given so long to end when all is to stop. */
export const graceMs = 2_000

/**
 * The outcome of work, but not later than `graceMs` after it was to stop.
 *
 * **Gives** `null` when it did not come back
 *
 * @since 0.1.0
 * @category running
 */
export const untilStopped = <A extends object>(work: Promise<A>, stopped: Promise<void>): Promise<A | null> => {
  let forget = (): void => {}
  let isOver = false
  const late = new Promise<null>((resolve) => {
    stopped.then(() => {
      if (!isOver) forget = liveClock.arm(graceMs, "grace", () => resolve(null))
    })
  })
  return Promise.race([work, late]).finally(() => {
    isOver = true
    forget()
  })
}

/** Resolves when `ms` have passed; the function forgets it. */
export const after = (ms: number): { readonly passed: Promise<void>; readonly forget: () => void } => {
  let forget = (): void => {}
  const passed = new Promise<void>((resolve) => {
    forget = liveClock.arm(ms, "budget", resolve)
  })
  return { passed, forget }
}
