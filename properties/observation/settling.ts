import type { VirtualClock } from "../../src/kernel/virtual-clock.ts"

/** What came of a promise in a simulated world; `at` is NaN when nothing can settle it any more. */
export interface Settled {
  /** Milliseconds since the world began. */
  readonly at: number
  readonly value?: unknown
  readonly error?: unknown
}

/** Lets so many links of chains of promises go on; no time passes. @since 0.1.0 @category constructors */
export const makeTurns =
  (turnsMax: number): (() => Promise<void>) =>
  async () => {
    for (let turn = 0; turn < turnsMax; turn++) await null
  }

/** Lets time pass until a promise has settled. @since 0.1.0 @category constructors */
export const makeSettling =
  (clock: VirtualClock, turns: () => Promise<void>): ((promise: Promise<unknown>) => Promise<Settled>) =>
  async (promise) => {
    const ends: Array<Settled> = []
    promise.then(
      (value) => ends.push({ at: clock.now(), value }),
      (error: unknown) => ends.push({ at: clock.now(), error })
    )
    await turns()
    while (ends.length === 0 && clock.step()) await turns()
    return ends[0] ?? { at: Number.NaN }
  }
