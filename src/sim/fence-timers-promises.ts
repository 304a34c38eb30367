import nodeTimersPromises from "node:timers/promises"
import type { Callable, Patches } from "./fence-patches.ts"
import { type RunTag, tagFor } from "./fence-run.ts"
import { clampDelay, FencedImmediate, FencedTimeout, type RealTimers } from "./fence-timeout.ts"

/** Replaces `node:timers/promises`, its scheduler included; calls that Node would refuse are left to Node. */
export const patchTimersPromises = (patches: Patches, real: RealTimers): void => {
  const wait = (tag: RunTag, delay: unknown, value: unknown, signal: AbortSignal | undefined): Promise<unknown> =>
    abortable(signal, (resolve) => {
      const spec = { callback: () => resolve(value), delayMs: clampDelay(delay), args: [], repeats: false }
      return new FencedTimeout(real, tag, spec)
    })
  const soon = (tag: RunTag, value: unknown, signal: AbortSignal | undefined): Promise<unknown> =>
    abortable(signal, (resolve) => new FencedImmediate(tag, () => resolve(value), []))

  patches.method(nodeTimersPromises, "setTimeout", (original) =>
    fenced("setTimeout", original, 2, (tag, [delay, value], signal) => wait(tag, delay, value, signal))
  )
  patches.method(nodeTimersPromises, "setImmediate", (original) =>
    fenced("setImmediate", original, 1, (tag, [value], signal) => soon(tag, value, signal))
  )
  patches.method(nodeTimersPromises, "setInterval", (original) =>
    fenced("setInterval", original, 2, (tag, [delay, value], signal) => ticks(real, tag, { delay, value, signal }))
  )
  const scheduler: unknown = Object.getPrototypeOf(nodeTimersPromises.scheduler)
  if (typeof scheduler !== "object" || scheduler === null) return
  patches.method(scheduler, "wait", (original) =>
    fenced("scheduler.wait", original, 1, (tag, [delay], signal) => wait(tag, delay, undefined, signal))
  )
  patches.method(scheduler, "yield", (original) =>
    fenced("scheduler.yield", original, 0, (tag) => soon(tag, undefined, undefined))
  )
}

type Inside = (tag: RunTag, args: ReadonlyArray<unknown>, signal: AbortSignal | undefined) => unknown

/** `optionsAt` is the place of the options among the arguments. */
const fenced = (what: string, original: Callable, optionsAt: number, inside: Inside): Callable =>
  function (this: unknown, ...args) {
    const options = args[optionsAt]
    const isPlain = options === undefined || (typeof options === "object" && options !== null)
    const signal: unknown = isPlain && options !== undefined ? Reflect.get(options, "signal") : undefined
    const isSignal = signal === undefined || signal instanceof AbortSignal
    const tag = isPlain && isSignal ? tagFor(what) : null
    if (tag === null || !isSignal) return Reflect.apply(original, this, args)
    return inside(tag, args, signal)
  }

const abortable = (
  signal: AbortSignal | undefined,
  start: (resolve: (value: unknown) => void) => { close(): void }
): Promise<unknown> => {
  if (signal?.aborted === true) return Promise.reject(abortError(signal))
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      timer.close()
      if (signal !== undefined) reject(abortError(signal))
    }
    const timer = start((value) => {
      signal?.removeEventListener("abort", giveUp)
      resolve(value)
    })
    signal?.addEventListener("abort", giveUp, { once: true })
  })
}

/** As Node's own, whose class it does not give out. */
const abortError = (signal: AbortSignal): Error =>
  Object.assign(new Error("The operation was aborted", { cause: signal.reason }), {
    name: "AbortError",
    code: "ABORT_ERR"
  })

/** A function, because it changes between two questions. */
const hasAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

interface Ticks {
  readonly delay: unknown
  readonly value: unknown
  readonly signal: AbortSignal | undefined
}

/** An endless iteration; ticks that nobody has asked for yet are counted and given at once. */
async function* ticks(real: RealTimers, tag: RunTag, { delay, value, signal }: Ticks): AsyncGenerator<unknown> {
  if (signal?.aborted === true) throw abortError(signal)
  let due = 0
  let wake: (() => void) | null = null
  const callback = (): void => {
    due++
    wake?.()
  }
  const onAbort = (): void => wake?.()
  const timer = new FencedTimeout(real, tag, { callback, delayMs: clampDelay(delay), args: [], repeats: true })
  signal?.addEventListener("abort", onAbort, { once: true })
  try {
    for (;;) {
      if (due === 0 && !hasAborted(signal)) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        wake = null
      }
      if (signal !== undefined && hasAborted(signal)) throw abortError(signal)
      for (; due > 0; due--) yield value
    }
  } finally {
    timer.close()
    signal?.removeEventListener("abort", onAbort)
  }
}
