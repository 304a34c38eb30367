import { delayMsMax } from "../domain/durations.ts"
import type { Clock } from "../kernel/clock.ts"
import type { SimKernel } from "../kernel/sim-kernel.ts"

/** Every run begins with the year 2030. */
export const runEpochMs = 1_893_456_000_000

/** A process of a run has been up for so long when the run begins; 0 would be a moment that no real process sees. */
export const upBeforeMs = 1_000

/**
 * The clock of one actor of a simulated world. As on a real machine, what is due later than Node keeps timers never
 * comes, and dates have whole milliseconds.
 *
 * @since 0.1.0
 * @category constructors
 */
export const kernelClock = (kernel: SimKernel, actor: string): Clock => ({
  now: kernel.now,
  wallMs: () => runEpochMs + Math.floor(kernel.now()),
  arm(ms, label, fire) {
    if (ms > delayMsMax) return () => {}
    return kernel.plan(ms, { kind: "timer", label, actor }, fire)
  }
})
