import { type Duration, durationMs } from "../domain/duration.ts"
import { InvalidOption } from "../domain/errors.ts"
import type { ServerPorts } from "./server-ports.ts"

/** The clock that paces answers and keeps streams alive. */
export interface ServerClock {
  /** Milliseconds from an arbitrary start. */
  now(): number
  /** Lets time pass (`"60 seconds"`, `250`), firing what falls due. Rejects where the clock runs by itself. */
  advance(duration: Duration): Promise<void>
}

/** @since 0.1.0 @category constructors */
export const serverClock = ({ clock, advance }: ServerPorts): ServerClock => ({
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
