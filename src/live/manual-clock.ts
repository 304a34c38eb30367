import { delayMsMax } from "../domain/durations.ts"
import { InvalidOption } from "../domain/errors.ts"
import type { Clock } from "../kernel/clock.ts"
import { makeVirtualClock } from "../kernel/virtual-clock.ts"
import { liveClock } from "./clock.ts"

/** A clock that stands still until it is advanced. */
export interface ManualClock extends Clock {
  /**
   * Lets `ms` pass, timer by timer; between two timers the event loop runs, so that sockets keep up.
   *
   * **Fails** with `InvalidOption`, and nothing passes, when that is more than `delayMsMax`: nothing waits longer, and each
   * silent stream would say a comment for every 15 seconds of it
   */
  advance(ms: number): Promise<void>
}

/**
 * Time that a test holds, over real sockets. What is due at once happens at once, as on any other clock.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeManualClock = (): ManualClock => {
  const clock = makeVirtualClock()
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const pass = async (ms: number): Promise<void> => {
    const end = clock.now() + ms
    await turn()
    for (let due = clock.nextDue(); due <= end; due = clock.nextDue()) {
      clock.advance(due - clock.now())
      await turn()
    }
    clock.advance(end - clock.now())
  }
  // One after the other: time that two callers let pass at once is the sum.
  let passing: Promise<void> = Promise.resolve()
  return {
    now: clock.now,
    wallMs: clock.wallMs,
    arm: (ms, label, fire) => (ms <= 0 ? liveClock.arm(0, label, fire) : clock.arm(ms, label, fire)),
    async advance(ms) {
      checkAdvance(ms)
      const passed = passing.then(() => pass(ms))
      passing = passed.catch(() => {})
      await passed
    }
  }
}

const checkAdvance = (ms: number): void => {
  if (ms >= 0 && ms <= delayMsMax) return
  const hours = Math.floor(delayMsMax / 3_600_000)
  throw new InvalidOption(`advance(${ms}): let 0 to ${delayMsMax} ms pass (${hours} hours) at a time`)
}
