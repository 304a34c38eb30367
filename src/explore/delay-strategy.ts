import { type Dice, makeDice } from "../kernel/choice-dice.ts"
import { derive } from "../kernel/derive-seed.ts"
import type { Op } from "../kernel/op.ts"
import type { Strategy } from "./strategy.ts"
import { worldDraws } from "./world-draws.ts"

/** How many picks a run is thought to take before one was seen. */
const picksByDefault = 64

/**
 * Delay-bounded: the calm order, but at `delays` random picks the chain whose turn it is waits until no other can go on.
 *
 * @since 0.1.0
 * @category exploring
 */
export const delayStrategy = ({ delays = 3 }: { readonly delays?: number } = {}): Strategy => ({
  name: "delay",
  begin({ seed, picksMax }) {
    const dice = makeDice(derive(seed, "delay"))
    const pick = picker({ dice, delays, picks: picksMax === 0 ? picksByDefault : picksMax })
    return { draw: worldDraws(seed).draw, pick }
  },
  end() {}
})

const picker = ({ dice, delays, picks }: { readonly dice: Dice; readonly delays: number; readonly picks: number }) => {
  const moments = new Set<number>()
  for (let count = 0; count < delays; count++) moments.add(dice.below(picks))
  const waiting = new Set<number>()
  let count = 0
  /** The chain that was picked last would be first among the enabled; here what was planned first is. */
  const firstFree = (enabled: ReadonlyArray<Op>): number => {
    let first = -1
    enabled.forEach((op, index) => {
      const best = enabled[first]
      if (!waiting.has(op.chain) && (best === undefined || isBefore(op, best))) first = index
    })
    return first
  }
  return (enabled: ReadonlyArray<Op>): number => {
    if (enabled.length === 1) return 0
    let free = firstFree(enabled)
    if (free === -1) {
      waiting.clear()
      free = firstFree(enabled)
    }
    const chain = enabled[free]?.chain
    if (!moments.has(count++) || chain === undefined) return free
    waiting.add(chain)
    const other = firstFree(enabled)
    if (other !== -1) return other
    waiting.delete(chain)
    return free
  }
}

const isBefore = (one: Op, other: Op): boolean => one.due < other.due || (one.due === other.due && one.id < other.id)
