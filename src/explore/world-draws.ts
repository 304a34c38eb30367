import type { Choice } from "../kernel/choice.ts"
import { forkedChoice } from "../kernel/choice-forked.ts"
import { swarmChoice } from "../kernel/choice-swarm.ts"
import { derive } from "../kernel/derive-seed.ts"

/** What strategies that pick operations answer to all other draws: every second run as a swarm. */
export const worldDraws = (seed: number): Choice => {
  const plain = forkedChoice(seed)
  return derive(seed, "world") % 2 === 0 ? plain : swarmChoice(plain, { seed })
}
