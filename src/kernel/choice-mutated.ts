import type { Choice } from "./choice.ts"
import { makeDice } from "./choice-dice.ts"
import { forkedChoice, forkListedChoice } from "./choice-forked.ts"
import { forkOf, listsOf } from "./choice-forks.ts"
import type { Draw } from "./choice-sources.ts"
import { derive } from "./derive-seed.ts"

/**
 * The first `keep` draws of a parent, and then draws of a seed: another end of the same beginning.
 *
 * @since 0.1.0
 * @category kernel
 */
export const redrawnChoice = (
  parent: ReadonlyArray<Draw>,
  { keep, seed }: { readonly keep: number; readonly seed: number }
): Choice => {
  const fresh = forkedChoice(seed)
  let at = 0
  return {
    draw(n, label, calmWeight) {
      const kept = at < keep ? parent[at++] : undefined
      return kept === undefined ? fresh.draw(n, label, calmWeight) : kept.answer % n
    }
  }
}

/**
 * The draws of a parent but for `alter` of them, which get another answer. What the run draws beyond its parent follows from
 * the seed.
 *
 * @since 0.1.0
 * @category kernel
 */
export const alteredChoice = (
  parent: ReadonlyArray<Draw>,
  { alter, seed }: { readonly alter: number; readonly seed: number }
): Choice => {
  const { below } = makeDice(derive(seed, "altered"))
  const draws = parent.slice()
  for (let count = 0; count < alter && draws.length > 0; count++) {
    const at = below(draws.length)
    const draw = draws[at]
    // A shift by 1 to n - 1 gives each of the other answers.
    if (draw !== undefined) draws[at] = { ...draw, answer: (draw.answer + 1 + below(draw.n - 1)) % draw.n }
  }
  const lists = forkListedChoice(listsOf(draws))
  const fresh = forkedChoice(seed)
  const left = countsByFork(draws)
  return {
    draw(n, label, calmWeight) {
      const fork = forkOf(label)
      const count = left.get(fork) ?? 0
      if (count === 0) return fresh.draw(n, label, calmWeight)
      left.set(fork, count - 1)
      return lists.draw(n, label)
    }
  }
}

const countsByFork = (draws: ReadonlyArray<Draw>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { label } of draws) counts.set(forkOf(label), (counts.get(forkOf(label)) ?? 0) + 1)
  return counts
}
