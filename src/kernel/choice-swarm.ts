import type { Choice } from "./choice.ts"
import { makeDice } from "./choice-dice.ts"
import { derive } from "./derive-seed.ts"

/** How a site behaves for the length of one run. */
type Temper = "off" | "as drawn" | "eager"

/** An eager site leaves the calm answer in a quarter of its draws, and takes the last one, the rarest, in half of those. */
const eagerShare = 1 / 4

/** What is drawn under this label is an order of events; a run without it would explore nothing. */
const isScheduleLabel = (label: string): boolean => label === "schedule"

/**
 * Each run draws which sites are active in it: a site that is off answers calmly for the whole run, so that others are not
 * drowned by it. A kind of site (`rst`, the last part of a label) is off in a third of the runs, a site of an active kind in
 * a third again.
 *
 * **Source** simulation.md, section 1 (swarm testing; the two stages of FoundationDB's buggify)
 *
 * @since 0.1.0
 * @category kernel
 */
export const swarmChoice = (
  source: Choice,
  { seed, isAlwaysOn = isScheduleLabel }: { readonly seed: number; readonly isAlwaysOn?: (label: string) => boolean }
): Choice => {
  const tempers = new Map<string, Temper>()
  const dice = makeDice(derive(seed, "swarm"))
  const temperOf = (label: string): Temper => {
    const known = tempers.get(label)
    if (known !== undefined) return known
    const temper = drawnTemper(seed, label)
    tempers.set(label, temper)
    return temper
  }
  return {
    draw(n, label, calmWeight = 1) {
      const temper = isAlwaysOn(label) ? "as drawn" : temperOf(label)
      if (temper === "off") return 0
      if (temper === "as drawn") return source.draw(n, label, calmWeight)
      if (n <= 1 || dice.share() >= eagerShare) return 0
      if (dice.share() < 1 / 2) return n - 1
      return Math.max(0, 1 + dice.below(n - 2 + calmWeight) - (calmWeight - 1))
    }
  }
}

const drawnTemper = (seed: number, label: string): Temper => {
  const kind = label.slice(label.lastIndexOf("/") + 1)
  if (derive(seed, `kind:${kind}`) % 3 === 0) return "off"
  const third = derive(seed, `site:${label}`) % 3
  return third === 0 ? "off" : third === 1 ? "as drawn" : "eager"
}
