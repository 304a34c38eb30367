import { type Clock, Duration, Effect } from "effect"
import type { OpSpec } from "../kernel/op.ts"
import { upBeforeMs } from "./kernel-clock.ts"
import type { SimPorts } from "./sim-ports.ts"

/**
 * Effect's clock in a simulated run. As live, sleeps have whole milliseconds, at least one; a sleep of nothing lets others go
 * first.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeEffectClock = ({ clock, plan }: Pick<SimPorts, "clock" | "plan">, actor: string): Clock.Clock => {
  const op: OpSpec = { kind: "timer", label: "effect/sleep", actor }
  const wallNanos = (): bigint => nanosOf(clock.wallMs(), clock.now() % 1)
  const upNanos = (): bigint => nanosOf(upBeforeMs + Math.floor(clock.now()), clock.now() % 1)
  return {
    currentTimeMillisUnsafe: clock.wallMs,
    currentTimeMillis: Effect.sync(clock.wallMs),
    currentTimeNanosUnsafe: wallNanos,
    currentTimeNanos: Effect.sync(wallNanos),
    monotonicTimeNanosUnsafe: upNanos,
    monotonicTimeNanos: Effect.sync(upNanos),
    sleep(duration) {
      const ms = Duration.toMillis(duration)
      if (ms <= 0) return Effect.yieldNow
      if (!Number.isFinite(ms)) return Effect.never
      return Effect.callback<void>((resume) => {
        const forget = plan(Math.max(1, Math.trunc(ms)), op, () => resume(Effect.void))
        return Effect.sync(forget)
      })
    }
  }
}

/** Whole milliseconds apart from the rest of one: together they have more digits than a number. */
const nanosOf = (wholeMs: number, restMs: number): bigint =>
  BigInt(wholeMs) * 1_000_000n + BigInt(Math.round(restMs * 1_000_000))
