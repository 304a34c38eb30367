import type { Callable, Patches } from "./fence-patches.ts"
import { isCallable } from "./fence-patches.ts"
import { type RunTag, tagFor } from "./fence-run.ts"
import { clampDelay, FencedTimeout, type RealTimers } from "./fence-timeout.ts"

/** What a real timer was before a run took it over. */
interface Adopted {
  readonly callback: Callable
  readonly delayMs: number
  /** Its stand-in in the newest run that refreshed it. */
  readonly standIn: FencedTimeout
}

const adopted = new WeakMap<object, Adopted>()

/**
 * Takes a real timer over into a run. A module that was used before the first run, undici above all, keeps one timer for
 * the whole process and refreshes it; inside a run it has to fire in virtual time.
 */
export const adoptTimeout = (timer: object, tag: RunTag, real: RealTimers): void => {
  const before = adopted.get(timer)
  before?.standIn.close()
  const callback = before?.callback ?? Reflect.get(timer, "_onTimeout")
  // A timer that was cleared has no callback any more; refreshing it does nothing in Node either.
  if (!isCallable(callback)) return
  const delayMs = before?.delayMs ?? clampDelay(Reflect.get(timer, "_idleTimeout"))
  const args: unknown = Reflect.get(timer, "_timerArgs")
  const spec = { callback, delayMs, args: Array.isArray(args) ? args : [], repeats: false }
  if (isTimeout(timer)) real.clearTimeout(timer)
  adopted.set(timer, { callback, delayMs, standIn: new FencedTimeout(real, tag, spec) })
}

/** Forgets the stand-in of a timer that was given back. */
export const dropAdopted = (timer: unknown): void => {
  if (typeof timer !== "object" || timer === null) return
  adopted.get(timer)?.standIn.close()
  adopted.delete(timer)
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
        if (tag === null) giveBack(this)
        else adoptTimeout(this, tag, real)
        return tag === null ? Reflect.apply(original, this, []) : this
      }
  )
}

/** Back in the real world the timer is again what it was. It stays marked as destroyed: so Node counts it anew. */
const giveBack = (timer: object): void => {
  const before = adopted.get(timer)
  if (before === undefined) return
  before.standIn.close()
  adopted.delete(timer)
  Reflect.set(timer, "_onTimeout", before.callback)
  Reflect.set(timer, "_idleTimeout", before.delayMs)
}

const isTimeout = (timer: object): timer is NodeJS.Timeout => "refresh" in timer && "hasRef" in timer
