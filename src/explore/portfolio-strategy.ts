import { calmChoice } from "../kernel/choice-sources.ts"
import { corpusStrategy } from "./corpus-strategy.ts"
import { delayStrategy } from "./delay-strategy.ts"
import { pctStrategy } from "./pct-strategy.ts"
import { posStrategy } from "./pos-strategy.ts"
import { randomStrategy, swarmStrategy } from "./random-strategy.ts"
import type { Strategy } from "./strategy.ts"

/** One of each kind: none of them finds what all the others find. */
const membersByDefault = (): ReadonlyArray<Strategy> => [
  randomStrategy(),
  pctStrategy(),
  swarmStrategy(),
  posStrategy(),
  corpusStrategy(),
  delayStrategy()
]

/**
 * The default: the calm run, then its members in turn, each of which learns from the runs of all.
 *
 * **Source** simulation.md, section 5.4
 *
 * @since 0.1.0
 * @category exploring
 */
export const portfolioStrategy = (members: ReadonlyArray<Strategy> = membersByDefault()): Strategy => {
  let turn = -1
  const over = new Set<Strategy>()
  return {
    name: "portfolio",
    begin(run) {
      if (turn === -1) {
        turn = 0
        return { draw: calmChoice.draw, by: "calm" }
      }
      for (let tried = 0; tried < members.length; tried++) {
        const member = members[turn++ % members.length]
        if (member === undefined || over.has(member)) continue
        const choice = member.begin(run)
        if (choice !== null) return { ...choice, by: choice.by ?? member.name }
        over.add(member)
        if (member.isComplete?.() === true) return null
      }
      return null
    },
    end(report) {
      for (const member of members) member.end(report)
    },
    isComplete: () => members.some((member) => over.has(member) && member.isComplete?.() === true)
  }
}
