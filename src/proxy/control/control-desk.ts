import { InvalidOption } from "../../domain/errors.ts"
import type { FaultProxy } from "../fault-proxy.ts"
import { readRule } from "../plan/read-plan.ts"

/**
 * What commands act on: the proxy, and which rules `hold` has added for which barrier. Barriers that were opened stay open, so nothing
 * can be held at one of them again.
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
  /** Begins a wait, which goes on when the one who asked has left. **Fails** with `InvalidOption` when too many do already */
  wait<A>(begin: () => Promise<A>): Promise<A>
  /** Opens a barrier, or all that anything waits or may wait at. */
  release(barrier: string | null): { readonly frames: number; readonly barriers: ReadonlyArray<string> }
}

/** So many commands may wait at a time, whoever asked. */
export const allWaitsMax = 1_024

/** So many barriers that were opened are remembered; the oldest are forgotten. */
const openedMax = 10_000

/** @since 0.1.0 @category constructors */
export const makeControlDesk = (proxy: FaultProxy, stop: () => void): ControlDesk => {
  const added = new Map<string, ReadonlyArray<string>>()
  const opened = new Set<string>()
  let waits = 0

  const barriers = (): ReadonlyArray<string> => {
    const ofRules = proxy.rules().flatMap(({ action }) => (action.type === "hold" ? [action.barrier] : []))
    const ofFrames = proxy.held().flatMap((frame) => frame.barriers)
    return [...new Set([...ofRules, ...ofFrames])].filter((barrier) => !opened.has(barrier))
  }
  const freshName = (): string => {
    const taken = new Set([...barriers(), ...opened])
    let place = 1
    while (taken.has(`hold-${place}`)) place++
    return `hold-${place}`
  }
  const open = (barrier: string): number => {
    opened.add(barrier)
    for (const oldest of opened) {
      if (opened.size <= openedMax) break
      opened.delete(oldest)
    }
    for (const rule of added.get(barrier) ?? []) proxy.removeRule(rule)
    added.delete(barrier)
    return proxy.release(barrier)
  }
  return {
    proxy,
    stop,
    hold(rule, asked) {
      const barrier = asked ?? freshName()
      if (opened.has(barrier)) {
        throw new InvalidOption(`the barrier ${JSON.stringify(barrier)} was opened, and stays open; give another name`)
      }
      const id = addRule(proxy, { ...rule, action: { type: "hold", barrier } })
      added.set(barrier, [...(added.get(barrier) ?? []), id])
      return { rule: id, barrier }
    },
    wait(begin) {
      if (waits >= allWaitsMax) {
        throw new InvalidOption(`${allWaitsMax} commands wait already; ask again when some of them are over`)
      }
      const begun = begin()
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
