import { derive, fmix } from "../../../src/kernel/derive-seed.ts"
import type { SimKernel } from "../../../src/kernel/sim-kernel.ts"
import { runEpochMs } from "../../../src/sim/kernel-clock.ts"
import type { FencedProgram, RunOutcome } from "../../../src/sim/run-loop.ts"

/*
 * Virtual time without a fence, in the place of the run loop: globals that ask the one kernel there is, and promises that are
 * drained between steps. Nobody asks whose code calls, nothing is watched, audited, waited for or bounded. It makes the same
 * choices as the fence does, so that with the hash on both have one hash for one seed.
 */

interface Run {
  readonly kernel: SimKernel
  readonly seed: number
  randoms: number
}

const realImmediate = setImmediate
const RealDate = Date
const sixteenths = 16

let run: Run | null = null
let isPatched = false

export const runFenced = <A>({ kernel, main, close, seed = 0 }: FencedProgram<A>): Promise<RunOutcome<A>> => {
  if (!isPatched) patchGlobals()
  isPatched = true
  run = { kernel, seed, randoms: 0 }
  return new Promise((resolve) => {
    let settled: { readonly value: A } | { readonly error: unknown } | null = null
    let atEnd: { readonly steps: number; readonly atMs: number; readonly left: number } | null = null
    const end = (how: { readonly value: A } | { readonly error: unknown }): void => {
      run = null
      const measured = atEnd ?? { steps: kernel.stepCount(), atMs: kernel.now(), left: kernel.planned() }
      const stats = { ...measured, coolSteps: 0, hash: kernel.hash(), realWaits: 0, lateWork: 0 }
      const step = kernel.stepCount()
      resolve("value" in how ? { status: "returned", ...how, stats } : { status: "failed", ...how, step, stats })
    }
    const tick = (): void => {
      if (kernel.planned() === 0) {
        end(settled ?? { error: new Error("nothing can happen any more") })
        return
      }
      if (settled !== null) atEnd ??= { steps: kernel.stepCount(), atMs: kernel.now(), left: kernel.planned() }
      kernel.step({ lingers: true })
      realImmediate(tick)
    }
    const whole = async (): Promise<A> => {
      try {
        return await main()
      } finally {
        await close?.()
      }
    }
    whole().then(
      (value) => {
        settled = { value }
      },
      (error: unknown) => {
        settled = { error }
      }
    )
    realImmediate(tick)
  })
}

/** A timer of the run, as far as SDKs use timers. */
class BareTimeout {
  forget: () => void
  constructor({ kernel }: Run, callback: () => void, ms: number) {
    const channel = `timer/main/${ms}`
    this.forget = kernel.plan(ms, { kind: "timer", label: "timeout", actor: "main", channel }, callback)
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}

const put = (target: object, name: string, value: unknown): void => {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true })
}

const patchGlobals = (): void => {
  const { setTimeout: realTimeout, clearTimeout: realClear, performance } = globalThis
  const { now: realNow } = performance
  const { random } = Math
  put(globalThis, "setTimeout", (callback: () => void, ms = 1) =>
    run === null ? realTimeout(callback, ms) : new BareTimeout(run, callback, Math.max(1, Math.trunc(ms)))
  )
  put(globalThis, "clearTimeout", (timer: unknown) => {
    if (timer instanceof BareTimeout) timer.forget()
    else if (timer === undefined || timer === null || timer instanceof Object)
      Reflect.apply(realClear, globalThis, [timer])
  })
  put(performance, "now", () => (run === null ? Reflect.apply(realNow, performance, []) : 1_000 + run.kernel.now()))
  put(Math, "random", () => (run === null ? random() : drawn(run)))
  put(RealDate, "now", () => (run === null ? new RealDate().getTime() : runEpochMs + Math.floor(run.kernel.now())))
}

const drawn = (of: Run): number => {
  const ordinal = ++of.randoms
  const k = of.kernel.choice.draw(sixteenths, `random/${ordinal}`)
  return (k + fmix((derive(of.seed, "random") + ordinal) >>> 0) / 2 ** 32) / sixteenths
}
