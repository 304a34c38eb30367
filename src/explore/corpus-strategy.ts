import { makeDice } from "../kernel/choice-dice.ts"
import { forkedChoice } from "../kernel/choice-forked.ts"
import { alteredChoice, redrawnChoice } from "../kernel/choice-mutated.ts"
import type { Draw } from "../kernel/choice-sources.ts"
import { swarmChoice } from "../kernel/choice-swarm.ts"
import { derive } from "../kernel/derive-seed.ts"
import type { Strategy, StrategyChoice } from "./strategy.ts"

/** So often a run is no mutation, so that the corpus does not breed itself only. */
const freshShare = 1 / 4

/**
 * Mutates the choices of runs that reached something new, whoever made them: another end of the same beginning, or a few
 * other answers.
 *
 * **Takes** how many parents are kept, the newest; 256 by default
 * **Source** simulation.md, section 1d (feedback-guided exploration)
 *
 * @since 0.1.0
 * @category exploring
 */
export const corpusStrategy = ({ parentsMax = 256 }: { readonly parentsMax?: number } = {}): Strategy => {
  const parents: Array<ReadonlyArray<Draw>> = []

  const mutated = (seed: number): StrategyChoice => {
    const dice = makeDice(derive(seed, "corpus"))
    const fresh = swarmChoice(forkedChoice(seed), { seed })
    if (parents.length === 0 || dice.share() < freshShare) return fresh
    // The later of two: the newest parents, and the ends of runs, are explored least.
    const late = (n: number): number => Math.max(dice.below(n), dice.below(n))
    const parent = parents[late(parents.length)] ?? []
    if (dice.share() < 1 / 2) return redrawnChoice(parent, { keep: late(parent.length), seed })
    return alteredChoice(parent, { alter: 1 << dice.below(3), seed })
  }

  return {
    name: "corpus",
    begin: ({ seed }) => mutated(seed),
    end({ draws, newTuples, isCut }) {
      if (newTuples === 0 || isCut || draws.length === 0) return
      if (parents.length >= parentsMax) parents.shift()
      parents.push(draws)
    }
  }
}
