import { makeDice } from "../kernel/choice-dice.ts"
import { derive } from "../kernel/derive-seed.ts"
import type { Op } from "../kernel/op.ts"
import { isLikelyConflict } from "./independence.ts"
import type { Strategy } from "./strategy.ts"
import { worldDraws } from "./world-draws.ts"

/**
 * Partial order sampling: every operation gets a random priority, and one that conflicts with what happened gets a new one.
 *
 * @since 0.1.0
 * @category exploring
 */
export const posStrategy = (): Strategy => ({
  name: "pos",
  begin({ seed }) {
    const { share } = makeDice(derive(seed, "pos"))
    return { draw: worldDraws(seed).draw, pick: picker(share) }
  },
  end() {}
})

const picker = (share: () => number) => {
  const priorities = new Map<number, number>()
  const priorityOf = (id: number): number => {
    const known = priorities.get(id)
    if (known !== undefined) return known
    const priority = share()
    priorities.set(id, priority)
    return priority
  }
  return (enabled: ReadonlyArray<Op>): number => {
    let best = 0
    let bestPriority = -1
    enabled.forEach(({ id }, index) => {
      const priority = priorityOf(id)
      if (priority <= bestPriority) return
      best = index
      bestPriority = priority
    })
    const chosen = enabled[best]
    if (chosen !== undefined) for (const op of enabled) if (isLikelyConflict(op, chosen)) priorities.delete(op.id)
    return best
  }
}
