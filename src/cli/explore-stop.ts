import type { StopBoard } from "../campaign/stop-board.ts"
import { liveClock } from "../live/clock.ts"
import { type CommandIo, exitCodes, type StopSignal } from "./command-io.ts"
import { echoMs } from "./stop-signals.ts"

/** The first signal to stop. */
export interface RunsStop {
  /** `null` while there was none. */
  readonly signal: () => StopSignal | null
  /** Resolves with it. */
  readonly stopped: Promise<void>
}

/**
 * Heeds signals from now on: the first one lets no further run begin, a later one ends the process at once.
 *
 * @since 0.1.0
 * @category constructors
 */
export const stopRunsOnSignals = (io: CommandIo, board: StopBoard): RunsStop => {
  let first: { readonly signal: StopSignal; readonly at: number } | null = null
  let settle = (): void => {}
  const stopped = new Promise<void>((resolve) => {
    settle = resolve
  })
  io.onSignal((signal) => {
    if (first !== null) {
      if (io.now() - first.at > echoMs) io.exit(exitCodes[signal])
      return
    }
    first = { signal, at: io.now() }
    board.stop()
    settle()
  })
  return { signal: () => first?.signal ?? null, stopped }
}

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
