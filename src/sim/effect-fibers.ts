import type { Fiber } from "effect"
import { newPlace, type Place } from "./effect-preemption.ts"
import type { SimPorts } from "./sim-ports.ts"

type AnyFiber = Fiber.Fiber<unknown, unknown>

/** A fiber that has begun and has not ended. */
export interface LiveFiber {
  readonly fiber: AnyFiber
  /** Running number among the fibers of one runtime, from 1. Effect's own number is that of the process. */
  readonly number: number
  readonly place: Place
  /** When it was woken last, in milliseconds of virtual time. */
  wokenAtMs: number
}

/**
 * The fibers of one runtime in a simulated run.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface EffectFibers {
  /** Called by a fiber that is going on. */
  see(fiber: AnyFiber): LiveFiber
  /** Called for a fiber that was started from outside. */
  started(fiber: AnyFiber): void
  /** Whether nothing may go on any more. */
  isOver(): boolean
  /** Who waits, a line each. */
  waiting(): ReadonlyArray<string>
  /** Interrupts what has not ended, and waits for its finalizers; then nothing may go on any more. */
  end(): Promise<void>
}

/** So many fibers are named. */
const namedMax = 8

/** @since 0.1.0 @category constructors */
export const makeEffectFibers = (
  { clock, isOver }: Pick<SimPorts, "clock" | "isOver">,
  actor: string
): EffectFibers => {
  const live = new Map<AnyFiber, LiveFiber>()
  const started = new Set<AnyFiber>()
  let last: LiveFiber | null = null
  let numbers = 0
  let hasEnded = false

  const see = (fiber: AnyFiber): LiveFiber => {
    // Asked at every operation, nearly always by the fiber that asked before.
    if (last?.fiber === fiber) return last
    last = live.get(fiber) ?? begun(fiber)
    return last
  }
  const begun = (fiber: AnyFiber): LiveFiber => {
    const seen = { fiber, number: ++numbers, place: newPlace(), wokenAtMs: clock.now() }
    live.set(fiber, seen)
    fiber.addObserver(() => {
      live.delete(fiber)
      started.delete(fiber)
    })
    return seen
  }

  return {
    see,
    started(fiber) {
      if (fiber.pollUnsafe() !== undefined) return
      see(fiber)
      started.add(fiber)
    },
    isOver: () => hasEnded || isOver(),
    waiting() {
      const all = [...live.values()]
      const lines = all.slice(0, namedMax).map((one) => lineOf(actor, one))
      return all.length <= namedMax ? lines : [...lines, `${actor}: ${all.length - namedMax} more Effect fibers`]
    },
    async end() {
      while (live.size > 0) {
        // Those that were started from outside end what they forked; what was detached is left.
        const fibers = started.size > 0 ? started : live.keys()
        await Promise.all([...fibers].map(interrupted))
      }
      hasEnded = true
    }
  }
}

const interrupted = (fiber: AnyFiber): Promise<void> =>
  new Promise((resolve) => {
    fiber.addObserver(() => resolve())
    fiber.interruptUnsafe()
  })

const lineOf = (actor: string, { fiber, number, wokenAtMs }: LiveFiber): string => {
  const { span, stackFrame } = fiber.cache
  const name = span?._tag === "Span" ? span.name : stackFrame?.name
  const known = name === undefined ? "" : ` (${name})`
  return `${actor}: Effect fiber ${number}${known} waits since ${wokenAtMs} ms`
}
