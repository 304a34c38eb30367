import { InvalidOption } from "../../domain/errors.ts"
import type { FaultProxy } from "../fault-proxy.ts"
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
  /** Begins a wait, which its signal gives up when nobody is left to answer. **Fails** with `InvalidOption` when too many wait already */
  wait<A>(begin: (signal: AbortSignal) => Promise<A>): Promise<A>
  /** Opens a barrier, or all that anything waits or may wait at. */
  release(barrier: string | null): { readonly frames: number; readonly barriers: ReadonlyArray<string> }
}

/** So many commands may wait at a time, whoever asked. */
export const allWaitsMax = 1_024

/** @since 0.1.0 @category constructors */
export const makeControlDesk = (proxy: FaultProxy, stop: () => void): ControlDesk => {
  /** The barriers of rules that `hold` has added, by their ids. */
  let added: ReadonlyMap<string, string> = new Map()
  let holds = 0
  let waits = 0

  const barriers = (): ReadonlyArray<string> => {
    const ofRules = proxy.rules().flatMap(({ action }) => (action.type === "hold" ? [action.barrier] : []))
    const ofFrames = proxy.held().flatMap((frame) => frame.barriers)
    return [...new Set([...ofRules, ...ofFrames])].filter((barrier) => !proxy.isReleased(barrier))
  }
  const freshName = (): string => {
    const taken = barriers()
    const name = (): string => `hold-${holds}`
    do holds++
    while (taken.includes(name()) || proxy.isReleased(name()))
    return name()
  }
  const add = (id: string, barrier: string): void => {
    // Rules may have been taken away otherwise.
    const present = new Set(proxy.rules().map((rule) => rule.id))
    added = new Map([...[...added].filter(([other]) => present.has(other)), [id, barrier]])
  }
  const open = (barrier: string): number => {
    const frames = proxy.release(barrier)
    for (const [id, at] of added) if (at === barrier) proxy.removeRule(id)
    return frames
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
      add(id, barrier)
      return { rule: id, barrier }
    },
    wait(begin) {
      if (waits >= allWaitsMax) {
        throw new InvalidOption(`${allWaitsMax} commands wait already; ask again when some of them are over`)
      }
      const begun = begin(new AbortController().signal)
      waits++
      return begun.finally(() => {
        waits--
      })
    },
    release(asked) {
      const found = asked === null ? barriers() : [asked]
      return { frames: found.reduce((frames, barrier) => frames + open(barrier), 0), barriers: found }
    }
  }
}

/** Adds a rule that nobody has read yet. **Gives** its id. **Fails** with `InvalidOption` */
export const addRule = (proxy: FaultProxy, source: unknown): string => {
  // No rule that was read has an empty id of its own.
  const { id, ...rule } = readRule(source, { id: "" })
  return proxy.addRule(id === "" ? rule : { id, ...rule })
}
