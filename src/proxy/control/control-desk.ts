import { InvalidOption } from "../../domain/errors.ts"
import type { FaultProxy } from "../fault-proxy.ts"
import { barriersOf, type FaultRule } from "../plan/fault-program.ts"
import { readRule } from "../plan/read-plan.ts"

/**
 * What commands act on: the proxy, and which rules `hold` has added for which barrier. Barriers that were released stay open, so
 * nothing can be held at one of them again.
 *
 * @since 0.1.0
 * @category models
 */
export interface ControlDesk {
  readonly proxy: FaultProxy
  /** Stops the proxy, and this with it. */
  readonly stop: () => void
  /** Adds a rule with action hold. **Fails** with `InvalidOption` */
  hold(
    rule: Readonly<Record<string, unknown>>,
    barrier: string | null
  ): { readonly rule: string; readonly barrier: string }
  /** Whether so many wait that nobody else may. */
  areWaitsFull(): boolean
  /** Begins a wait, which the signal gives up when nobody is left to answer. **Fails** with `InvalidOption` when too many wait already */
  wait<A>(begin: (signal: AbortSignal) => Promise<A>, signal?: AbortSignal): Promise<A>
  /** Opens a barrier, or all that anything waits or may wait at. **Gives** how many frames go on, and the barriers. **Fails** with `InvalidOption` */
  release(barrier: string | null): { readonly frames: number; readonly barriers: ReadonlyArray<string> }
}

/** So many commands may wait at a time, whoever asked. */
export const allWaitsMax = 1_024

/** @since 0.1.0 @category constructors */
export const makeControlDesk = (proxy: FaultProxy, stop: () => void): ControlDesk => {
  /** The rules that `hold` has added: one that is put in the place of such a rule, under its id, is not one of them. */
  const added = new WeakSet<FaultRule>()
  let holds = 0
  const waits = new Set<object>()
  const areWaitsFull = (): boolean => waits.size >= allWaitsMax

  const barriers = (): ReadonlyArray<string> => {
    const ofRules = barriersOf(proxy.rules())
    const ofFrames = proxy.held().flatMap((frame) => frame.barriers)
    return [...new Set([...ofRules, ...ofFrames])].filter((barrier) => !proxy.isReleased(barrier))
  }
  const freshName = (): string => {
    const taken = new Set(barriers())
    const name = (): string => `hold-${holds}`
    do holds++
    while (taken.has(name()) || proxy.isReleased(name()))
    return name()
  }
  return {
    proxy,
    stop,
    hold(rule, asked) {
      const barrier = asked ?? freshName()
      if (asked !== null && proxy.isReleased(asked)) {
        throw new InvalidOption(`the barrier ${JSON.stringify(barrier)} was opened, and stays open; give another name`)
      }
      const id = addRule(proxy, { ...rule, action: { type: "hold", barrier } })
      const made = proxy.rules().findLast((other) => other.id === id)
      if (made !== undefined) added.add(made)
      return { rule: id, barrier }
    },
    areWaitsFull,
    wait(begin, signal = new AbortController().signal) {
      if (areWaitsFull()) {
        throw new InvalidOption(`${allWaitsMax} commands wait already; ask again when some of them are over`)
      }
      const begun = begin(signal)
      const wait = {}
      waits.add(wait)
      const leave = (): void => {
        waits.delete(wait)
        signal.removeEventListener("abort", leave)
      }
      // At once: its place may be given up for another.
      signal.addEventListener("abort", leave)
      return begun.finally(leave)
    },
    release(asked) {
      const found = new Set(asked === null ? barriers() : [asked])
      const going = proxy.held().filter((frame) => frame.barriers.every((barrier) => found.has(barrier)))
      for (const barrier of found) proxy.release(barrier)
      for (const rule of proxy.rules())
        if (added.has(rule) && rule.action.type === "hold" && found.has(rule.action.barrier)) proxy.removeRule(rule.id)
      return { frames: going.length, barriers: [...found] }
    }
  }
}

/** Adds a rule that nobody has read yet. **Gives** its id. **Fails** with `InvalidOption` */
export const addRule = (proxy: FaultProxy, source: unknown): string => {
  // No rule that was read has an empty id of its own.
  const { id, ...rule } = readRule(source, { id: "" })
  return proxy.addRule(id === "" ? rule : { id, ...rule })
}
