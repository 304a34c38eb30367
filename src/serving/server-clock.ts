import { type Duration, durationMs } from "../domain/duration.ts"
import { InvalidOption } from "../domain/errors.ts"
import type { Clock } from "../kernel/clock.ts"

/** The clock that paces answers and keeps streams alive. */
export interface ServerClock {
  /** Milliseconds from an arbitrary start. */
  now(): number
  /** Lets time pass (`"60 seconds"`, `250`), firing what falls due. Rejects where the clock runs by itself. */
  advance(duration: Duration): Promise<void>
}

/** The time that a world provides for a server. */
export interface TimePorts {
  readonly clock: Clock
  /** Lets time pass, where a test holds the clock. */
  readonly advance?: (ms: number) => Promise<void>
}

/** @since 0.1.0 @category constructors */
export const serverClock = ({ clock, advance }: TimePorts): ServerClock => ({
  now: clock.now,
  async advance(duration) {
    const ms = durationMs(duration)
    if (advance === undefined) {
      throw new InvalidOption(
        'the clock of this server runs by itself; start it with { clock: "manual" } to advance it'
      )
    }
    await advance(ms)
  }
})
