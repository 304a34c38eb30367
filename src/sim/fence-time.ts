import type { Callable, Patches } from "./fence-patches.ts"
import { allProcesses } from "./fence-process.ts"
import { patchReadings } from "./fence-readings.ts"
import { anyTag, type RunTag, tagFor } from "./fence-run.ts"
import { clampDelay, FencedTimeout, type RealTimers } from "./fence-timeout.ts"
import { runEpochMs, upBeforeMs } from "./kernel-clock.ts"

// Reading a clock disturbs nobody: code of a run that is over goes on reading the end of its own run.
const uptimeMs = ({ run }: RunTag): number => upBeforeMs + run.kernel.now()
const wallMs = ({ run }: RunTag): number => runEpochMs + Math.floor(run.kernel.now())

/** Replaces whatever tells the time: `Date`, `performance.now`, `process.hrtime`, `process.uptime` and `AbortSignal.timeout`. */
export const patchTime = (patches: Patches, real: RealTimers): void => {
  patchDate(patches)
  const clocks: unknown = Object.getPrototypeOf(performance)
  if (typeof clocks === "object" && clocks !== null) {
    patches.method(clocks, "now", (original) => read(original, uptimeMs))
    // Some add it to `performance.now()` to have the date.
    patches.getter(clocks, "timeOrigin", (original) => read(original, () => runEpochMs - upBeforeMs))
  }
  patchReadings(patches, { uptimeMs, wallMs })
  for (const one of allProcesses) patchProcess(patches, one)
  patches.method(
    AbortSignal,
    "timeout",
    (original) =>
      function (this: unknown, ...args) {
        const [ms] = args
        const isValid = typeof ms === "number" && Number.isInteger(ms) && ms >= 0 && ms < 2 ** 32
        const tag = isValid ? tagFor("AbortSignal.timeout") : null
        return tag === null ? Reflect.apply(original, this, args) : timeoutSignal(real, tag, clampDelay(ms))
      }
  )
}

const patchProcess = (patches: Patches, one: NodeJS.Process): void => {
  patches.method(one, "uptime", (original) => read(original, (tag) => uptimeMs(tag) / 1_000))
  // It is replaced where it is: Effect keeps `process.hrtime` from when it was loaded, and asks that for its `bigint`.
  patches.method(
    one.hrtime,
    "bigint",
    (original) =>
      function (this: unknown, ...args) {
        const tag = anyTag()
        return tag === null ? Reflect.apply(original, this, args) : nanos(tag)
      }
  )
  patches.method(
    one,
    "hrtime",
    (original) =>
      function (this: unknown, ...args) {
        const tag = anyTag()
        const [before] = args
        if (tag === null || (before !== undefined && !isPair(before))) return Reflect.apply(original, this, args)
        return secondsAndNanos(
          nanos(tag) - (before === undefined ? 0n : BigInt(before[0]) * 1_000_000_000n + BigInt(before[1]))
        )
      }
  )
}

const timeoutSignal = (real: RealTimers, tag: RunTag, delayMs: number): AbortSignal => {
  const controller = new AbortController()
  const callback = (): void =>
    controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"))
  new FencedTimeout(real, tag, { callback, delayMs, args: [], repeats: false }).unref()
  return controller.signal
}

const read = (original: Callable, inside: (tag: RunTag) => number): Callable =>
  function (this: unknown, ...args) {
    const tag = anyTag()
    return tag === null ? Reflect.apply(original, this, args) : inside(tag)
  }

const nanos = (tag: RunTag): bigint => BigInt(Math.round(uptimeMs(tag) * 1_000_000))

const secondsAndNanos = (all: bigint): [number, number] => [Number(all / 1_000_000_000n), Number(all % 1_000_000_000n)]

const isPair = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isInteger)

/** One prototype for both, so that `instanceof` and `constructor` hold for dates of either. */
const patchDate = (patches: Patches): void => {
  patches.method(globalThis, "Date", (original) => {
    const RealDate = isDates(original) ? original : Date
    function FencedDate(this: unknown, ...args: ReadonlyArray<unknown>): unknown {
      const tag = anyTag()
      const given = args.length === 0 && tag !== null ? [wallMs(tag)] : args
      if (new.target === undefined) return tag === null ? RealDate() : new RealDate(wallMs(tag)).toString()
      return Reflect.construct(RealDate, given, new.target === FencedDate ? RealDate : new.target)
    }
    Object.defineProperty(FencedDate, "prototype", { value: RealDate.prototype, writable: false })
    const now = (): number => {
      const tag = anyTag()
      return tag === null ? RealDate.now() : wallMs(tag)
    }
    Object.defineProperty(FencedDate, "now", { value: now, writable: true, configurable: true })
    return FencedDate
  })
  patches.property(Date.prototype, "constructor", () => {
    const value: unknown = Reflect.get(globalThis, "Date")
    return { value, writable: true, configurable: true, enumerable: false }
  })
}

const isDates = (value: object): value is DateConstructor => "UTC" in value
