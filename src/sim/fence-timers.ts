import nodeTimers from "node:timers"
import nodeTimersPromises from "node:timers/promises"
import { promisify } from "node:util"
import { dropAdopted, patchRealRefresh } from "./fence-adopted-timeout.ts"
import type { Callable, Patches } from "./fence-patches.ts"
import { isCallable } from "./fence-patches.ts"
import { currentRun, tagFor } from "./fence-run.ts"
import { clampDelay, FencedImmediate, FencedTimeout, type RealTimers, timeoutOfNumber } from "./fence-timeout.ts"

/** Replaces the timers of the globals and of `node:timers` by such that belong to the run of whoever calls them. */
export const patchTimers = (patches: Patches, real: RealTimers): void => {
  const startTimer =
    (what: string, repeats: boolean) =>
    (original: Callable): Callable =>
      function (this: unknown, callback, delay, ...args) {
        const tag = isCallable(callback) ? tagFor(what) : null
        // Without a run, and for what is no function: Node's own, with Node's own error.
        if (tag === null || !isCallable(callback)) return Reflect.apply(original, this, [callback, delay, ...args])
        return new FencedTimeout(real, tag, { callback, delayMs: clampDelay(delay), args, repeats })
      }

  const startImmediate = (original: Callable): Callable =>
    function (this: unknown, callback, ...args) {
      const tag = isCallable(callback) ? tagFor("setImmediate") : null
      if (tag === null || !isCallable(callback)) return Reflect.apply(original, this, [callback, ...args])
      return new FencedImmediate(tag, callback, args)
    }

  // Giving a timer back is never refused, whoever asks.
  const clear = (original: Callable): Callable =>
    function (this: unknown, timer, ...rest) {
      const mine = ownTimer(timer)
      if (mine !== undefined) mine.close()
      else {
        dropAdopted(timer)
        Reflect.apply(original, this, [timer, ...rest])
      }
    }

  const makers: Readonly<Record<string, (original: Callable) => Callable>> = {
    setTimeout: startTimer("setTimeout", false),
    setInterval: startTimer("setInterval", true),
    setImmediate: startImmediate,
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear
  }
  const promised = new Map<string, () => unknown>([
    ["setTimeout", () => nodeTimersPromises.setTimeout],
    ["setImmediate", () => nodeTimersPromises.setImmediate]
  ])
  for (const [name, make] of Object.entries(makers)) {
    patches.method(globalThis, name, (original) => {
      const replacement = make(original)
      const get = promised.get(name)
      if (get !== undefined) Object.defineProperty(replacement, promisify.custom, { get, enumerable: true })
      return replacement
    })
    patches.property(nodeTimers, name, () => {
      const value: unknown = Reflect.get(globalThis, name)
      return { value, writable: true, configurable: true, enumerable: true }
    })
  }
  patchRealRefresh(patches, real)
}

const ownTimer = (timer: unknown): FencedTimeout | FencedImmediate | undefined => {
  if (timer instanceof FencedTimeout || timer instanceof FencedImmediate) return timer
  const run = currentRun()
  const isNumber = typeof timer === "number" || typeof timer === "string"
  return isNumber && run !== null ? timeoutOfNumber(run, Number(timer)) : undefined
}
