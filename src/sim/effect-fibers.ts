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
  /** When it began, and when it was woken last, in milliseconds of virtual time. */
  readonly sinceMs: number
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
  /** A task is planned; called when it runs or is forgotten. `null` where nobody wants to know what is left. */
  planned(): (() => void) | null
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
  { clock, isOver, held }: Pick<SimPorts, "clock" | "isOver" | "held">,
  actor: string
): EffectFibers => {
  const live = new Map<AnyFiber, LiveFiber>()
  const started = new Set<AnyFiber>()
  let last: LiveFiber | null = null
  let numbers = 0
  let hasEnded = false
  /** Tasks that are planned, each with who waits for it. */
  const tasks = new Set<{ taken: () => void }>()

  const see = (fiber: AnyFiber): LiveFiber => {
    // Asked at every operation, nearly always by the fiber that asked before.
    if (last?.fiber === fiber) return last
    last = live.get(fiber) ?? begun(fiber)
    return last
  }
  const begun = (fiber: AnyFiber): LiveFiber => {
    const now = clock.now()
    const seen = { fiber, number: ++numbers, place: newPlace(), sinceMs: now, wokenAtMs: now }
    live.set(fiber, seen)
    fiber.addObserver(() => {
      live.delete(fiber)
      started.delete(fiber)
    })
    return seen
  }

  const leave = (kind: "fiber" | "detached-fiber", one: LiveFiber | undefined): void => {
    if (one !== undefined) held?.leftBehind({ kind, actor, what: `${actor}/${nameOf(one)}`, sinceMs: one.sinceMs })
  }

  return {
    see,
    started(fiber) {
      if (fiber.pollUnsafe() !== undefined) return
      see(fiber)
      started.add(fiber)
    },
    planned() {
      if (held === undefined) return null
      const task = { taken: () => {} }
      tasks.add(task)
      return () => {
        tasks.delete(task)
        task.taken()
      }
    },
    isOver: () => hasEnded || isOver(),
    waiting() {
      const all = [...live.values()]
      const lines = all.slice(0, namedMax).map((one) => lineOf(actor, one))
      return all.length <= namedMax ? lines : [...lines, `${actor}: ${all.length - namedMax} more Effect fibers`]
    },
    async end() {
      // A fiber that was only just forked is none yet.
      await Promise.all([...tasks].map(isTaken))
      const left = new Set(live.keys())
      while (live.size > 0) {
        // Those that were started from outside end what they forked; what was detached is left.
        const kind = started.size > 0 ? "fiber" : "detached-fiber"
        const fibers = [...(started.size > 0 ? started : live.keys())]
        for (const fiber of fibers) if (left.delete(fiber)) leave(kind, live.get(fiber))
        await Promise.all(fibers.map(interrupted))
      }
      hasEnded = true
    }
  }
}

const isTaken = (task: { taken: () => void }): Promise<void> =>
  new Promise((resolve) => {
    task.taken = resolve
  })

const interrupted = (fiber: AnyFiber): Promise<void> =>
  new Promise((resolve) => {
    fiber.addObserver(() => resolve())
    fiber.interruptUnsafe()
  })

const lineOf = (actor: string, one: LiveFiber): string =>
  `${actor}: Effect fiber ${nameOf(one)} waits since ${one.wokenAtMs} ms`

const nameOf = ({ fiber, number }: LiveFiber): string => {
  const { span, stackFrame } = fiber.cache
  const name = span?._tag === "Span" ? span.name : stackFrame?.name
  return name === undefined ? String(number) : `${number} (${name})`
}
