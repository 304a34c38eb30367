import { AsyncResource } from "node:async_hooks"
import { delayMsMax } from "../domain/durations.ts"
import type { Callable } from "./fence-patches.ts"
import { type FenceRun, nextOrdinal, type RunTag, tagFor } from "./fence-run.ts"
import type { HeldThing, HeldThings } from "./held-things.ts"

/** Timer functions and the clock as they were before the fence. */
export interface RealTimers {
  readonly setTimeout: typeof globalThis.setTimeout
  readonly clearTimeout: typeof globalThis.clearTimeout
  readonly setImmediate: typeof globalThis.setImmediate
  /** Nanoseconds. */
  readonly monotonic: () => bigint
}

/** Node's own rule, kept because bugs depend on it: what is too short, too long or no number is 1 ms. */
export const clampDelay = (delay: unknown): number => {
  // Node multiplies, so that "5" counts as 5; a symbol or a bigint throws there too.
  const ms = Number(delay)
  return ms >= 1 && ms <= delayMsMax ? Math.trunc(ms) : 1
}

/** Timers by the number that code turned them into, for each run. */
const numbered = new WeakMap<FenceRun, Map<number, FencedTimeout>>()

/** The timer of a run that was turned into this number. */
export const timeoutOfNumber = (run: FenceRun, number: number): FencedTimeout | undefined =>
  numbered.get(run)?.get(number)

export interface TimeoutSpec {
  readonly callback: Callable
  readonly delayMs: number
  readonly args: ReadonlyArray<unknown>
  readonly repeats: boolean
}

/**
 * What the fenced `setTimeout` and `setInterval` give. A class, because clients ask timers for their constructor and
 * prototype as Node's are classes. It belongs to no run for good: `refresh` arms it in the world of whoever calls it.
 */
export class FencedTimeout {
  readonly #real: RealTimers
  readonly #spec: TimeoutSpec
  #scope: AsyncResource
  #tag: RunTag
  #forget: (() => void) | null = null
  #hasRef = true
  #number: number | null = null
  #held: HeldThing | null = null
  #isClosed = false

  constructor(real: RealTimers, tag: RunTag, spec: TimeoutSpec) {
    this.#real = real
    this.#spec = spec
    this.#tag = tag
    this.#scope = new AsyncResource("FencedTimeout")
    this.#arm()
  }

  ref(): this {
    this.#hasRef = true
    return this
  }

  unref(): this {
    this.#hasRef = false
    return this
  }

  hasRef(): boolean {
    return this.#hasRef
  }

  refresh(): this {
    if (this.#isClosed) return this
    this.#forget?.()
    const tag = tagFor("timeout.refresh")
    if (tag === null) {
      this.#armReal()
      return this
    }
    if (tag.run !== this.#tag.run) {
      this.#tag = tag
      this.#held = null
      this.#scope = new AsyncResource("FencedTimeout")
    }
    this.#arm()
    return this
  }

  close(): this {
    this.#isClosed = true
    this.#forget?.()
    this.#forget = null
    this.#held?.closed()
    this.#held = null
    if (this.#number !== null) numbered.get(this.#tag.run)?.delete(this.#number)
    return this
  }

  // By these two Node's own `clearTimeout` gives a timer back: one that lives on in real time meets it after the run.
  get _onTimeout(): Callable | null {
    return this.#isClosed ? null : this.#spec.callback
  }

  set _onTimeout(callback: Callable | null) {
    if (callback === null) this.close()
  }

  get _destroyed(): boolean {
    return this.#isClosed
  }

  [Symbol.dispose](): void {
    this.close()
  }

  [Symbol.toPrimitive](): number {
    const { run } = this.#tag
    const number = this.#number ?? nextOrdinal(run, "timer")
    this.#number = number
    const known = numbered.get(run) ?? new Map<number, FencedTimeout>()
    numbered.set(run, known.set(number, this))
    return number
  }

  #arm(): void {
    const { run, actor } = this.#tag
    const { delayMs, repeats } = this.#spec
    const label = repeats ? "interval" : "timeout"
    // As in Node, timers of one length fire in the order in which they were armed.
    const channel = `timer/${actor}/${delayMs}`
    this.#forget = run.kernel.plan(delayMs, { kind: "timer", label, actor, channel }, () => this.#fire())
    if (run.held !== null) this.#held ??= this.#hold(run.held)
  }

  #hold(held: HeldThings): HeldThing | null {
    const { delayMs, repeats } = this.#spec
    const { actor } = this.#tag
    const counts = (): boolean => this.#hasRef
    if (repeats)
      return held.opened({ kind: "interval", actor, counts, what: (number) => `${number}, every ${delayMs} ms` })
    // What is due at once is put off, and not kept.
    if (delayMs <= 1) return null
    return held.opened({ kind: "timer", actor, counts, what: (number) => `${number}, of ${delayMs} ms` })
  }

  #armReal(): void {
    const timer = this.#real.setTimeout(() => {
      this.#forget = null
      this.#call()
      if (this.#spec.repeats && !this.#isClosed && this.#forget === null) this.#armReal()
    }, this.#spec.delayMs)
    if (!this.#hasRef) timer.unref()
    this.#forget = () => this.#real.clearTimeout(timer)
  }

  #fire(): void {
    this.#forget = null
    if (!this.#spec.repeats) {
      this.#held?.ended()
      this.#held = null
    }
    try {
      this.#scope.runInAsyncScope(() => this.#call())
    } finally {
      if (this.#spec.repeats && !this.#isClosed && this.#forget === null) this.#arm()
    }
  }

  #call(): void {
    Reflect.apply(this.#spec.callback, this, this.#spec.args)
  }
}

/** What the fenced `setImmediate` gives. */
export class FencedImmediate {
  #forget: (() => void) | null
  #hasRef = true

  constructor({ run, actor }: RunTag, callback: Callable, args: ReadonlyArray<unknown>) {
    const scope = new AsyncResource("FencedImmediate")
    const op = { kind: "task", label: "immediate", actor, channel: `immediate/${actor}` } as const
    this.#forget = run.kernel.plan(0, op, () => {
      this.#forget = null
      scope.runInAsyncScope(() => Reflect.apply(callback, this, args))
    })
  }

  ref(): this {
    this.#hasRef = true
    return this
  }

  unref(): this {
    this.#hasRef = false
    return this
  }

  hasRef(): boolean {
    return this.#hasRef
  }

  close(): void {
    this.#forget?.()
    this.#forget = null
  }

  [Symbol.dispose](): void {
    this.close()
  }
}
