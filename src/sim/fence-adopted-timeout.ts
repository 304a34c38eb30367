import type { Callable, Patches } from "./fence-patches.ts"
import { isCallable } from "./fence-patches.ts"
import { currentRun, type FenceRun, type RunTag, tagFor } from "./fence-run.ts"
import { clampDelay, FencedTimeout, type RealTimers } from "./fence-timeout.ts"

/** What a real timer was before a run took it over. */
export interface AdoptedTimeout {
  readonly callback: Callable
  readonly delayMs: number
  readonly standIn: { close(): unknown }
}

/**
 * Takes a real timer over into a run. A module that was used before the first run, undici above all, keeps one timer for
 * the whole process and refreshes it; inside a run it has to fire in virtual time.
 */
export const adoptTimeout = (timer: object, tag: RunTag, real: RealTimers): void => {
  const { adopted } = tag.run
  const before = adopted.get(timer)
  before?.standIn.close()
  const callback = before?.callback ?? Reflect.get(timer, "_onTimeout")
  // A timer that was cleared has no callback any more; refreshing it does nothing in Node either.
  if (!isCallable(callback)) return
  const delayMs = before?.delayMs ?? clampDelay(Reflect.get(timer, "_idleTimeout"))
  const args: unknown = Reflect.get(timer, "_timerArgs")
  const spec = { callback, delayMs, args: Array.isArray(args) ? args : [], repeats: false }
  const standIn = new FencedTimeout(real, tag, spec)
  if (isTimeout(timer)) {
    if (!timer.hasRef()) standIn.unref()
    real.clearTimeout(timer)
  }
  adopted.set(timer, { callback, delayMs, standIn })
}

/** Forgets the stand-in of a timer that is cleared. */
export const dropAdopted = (timer: unknown): void => {
  if (typeof timer !== "object" || timer === null) return
  const adopted = currentRun()?.adopted
  adopted?.get(timer)?.standIn.close()
  adopted?.delete(timer)
}

/** At the end of a run its timers belong to the real world again, where nobody may have seen that there was a run. */
export const giveBackAdopted = (run: FenceRun): void => {
  for (const timer of run.adopted.keys()) giveBack(timer, run)
}

/** Makes `refresh` of real timers ask whose code it is. */
export const patchRealRefresh = (patches: Patches, real: RealTimers): void => {
  const sample = real.setTimeout(() => {}, 1)
  real.clearTimeout(sample)
  const prototype: unknown = Object.getPrototypeOf(sample)
  if (typeof prototype !== "object" || prototype === null) return
  patches.method(
    prototype,
    "refresh",
    (original) =>
      function (this: unknown) {
        const tag = tagFor("timeout.refresh")
        if (typeof this !== "object" || this === null) return Reflect.apply(original, this, [])
        const run = currentRun()
        if (tag !== null) adoptTimeout(this, tag, real)
        else if (run !== null) giveBack(this, run)
        return tag === null ? Reflect.apply(original, this, []) : this
      }
  )
}

/** Back in the real world the timer is again what it was. It stays marked as destroyed: so Node counts it anew. */
const giveBack = (timer: object, { adopted }: FenceRun): void => {
  const before = adopted.get(timer)
  if (before === undefined) return
  before.standIn.close()
  adopted.delete(timer)
  Reflect.set(timer, "_onTimeout", before.callback)
  Reflect.set(timer, "_idleTimeout", before.delayMs)
}

const isTimeout = (timer: object): timer is NodeJS.Timeout => "refresh" in timer && "hasRef" in timer
