import { performance } from "node:perf_hooks"
import { delayMsMax } from "../domain/durations.ts"
import type { Clock } from "../kernel/clock.ts"

/** The clock of this machine. What is due later than Node keeps timers never comes. */
export const liveClock: Clock = {
  now: () => performance.now(),
  wallMs: () => Date.now(),
  arm(ms, _label, fire) {
    if (ms <= 0) {
      const immediate = setImmediate(fire)
      return () => clearImmediate(immediate)
    }
    if (ms > delayMsMax) return () => {}
    const timer = setTimeout(fire, ms)
    return () => clearTimeout(timer)
  }
}
