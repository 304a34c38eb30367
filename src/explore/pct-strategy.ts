import { type Dice, makeDice } from "../kernel/choice-dice.ts"
import { derive } from "../kernel/derive-seed.ts"
import type { Op } from "../kernel/op.ts"
import type { Strategy } from "./strategy.ts"
import { worldDraws } from "./world-draws.ts"

/** How many picks a run is thought to take before one was seen. */
const picksByDefault = 64

/**
 * Probabilistic concurrency testing: every chain of operations gets a random priority and the highest goes on, but at
 * `depth - 1` random picks the chain that would go on falls behind all others. Finds orders of few constraints in long runs.
 *
 * **Takes** the depths that runs cycle through; 1 to 5 by default
 *
 * @since 0.1.0
 * @category exploring
 */
export const pctStrategy = ({
  depths = [1, 2, 3, 4, 5]
}: {
  readonly depths?: ReadonlyArray<number>
} = {}): Strategy => {
  let turn = 0
  return {
    name: "pct",
    begin({ seed, picksMax }) {
      const depth = depths[turn++ % depths.length] ?? 3
      const dice = makeDice(derive(seed, "pct"))
      const pick = picker({ dice, depth, picks: picksMax === 0 ? picksByDefault : picksMax })
      return { draw: worldDraws(seed).draw, pick }
    },
    end() {}
  }
}

const picker = ({ dice, depth, picks }: { readonly dice: Dice; readonly depth: number; readonly picks: number }) => {
  const priorities = new Map<number, number>()
  // At this pick the chain falls to this priority, which is below all that chains begin with.
  const falls = new Map<number, number>()
  for (let index = 1; index < depth; index++) falls.set(dice.below(picks), index)
  let count = 0

  const priorityOf = (chain: number): number => {
    const known = priorities.get(chain)
    if (known !== undefined) return known
    const priority = depth + dice.share()
    priorities.set(chain, priority)
    return priority
  }
  const highest = (enabled: ReadonlyArray<Op>): number => {
    let best = 0
    let bestPriority = Number.NEGATIVE_INFINITY
    enabled.forEach(({ chain }, index) => {
      const priority = priorityOf(chain)
      if (priority <= bestPriority) return
      best = index
      bestPriority = priority
    })
    return best
  }

  return (enabled: ReadonlyArray<Op>): number => {
    if (enabled.length === 1) return 0
    const fall = falls.get(count++)
    const best = highest(enabled)
    const chain = enabled[best]?.chain
    if (fall === undefined || chain === undefined) return best
    priorities.set(chain, fall)
    return highest(enabled)
  }
}
