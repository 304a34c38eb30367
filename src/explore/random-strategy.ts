import { forkedChoice } from "../kernel/choice-forked.ts"
import { swarmChoice } from "../kernel/choice-swarm.ts"
import type { Strategy } from "./strategy.ts"

/**
 * Every draw uniform.
 *
 * @since 0.1.0
 * @category exploring
 */
export const randomStrategy = (): Strategy => ({
  name: "random",
  begin: ({ seed }) => forkedChoice(seed),
  end() {}
})

/**
 * Uniform draws, each run with other sites of faults and delays switched off.
 *
 * @since 0.1.0
 * @category exploring
 */
export const swarmStrategy = (): Strategy => ({
  name: "swarm",
  begin: ({ seed }) => swarmChoice(forkedChoice(seed), { seed }),
  end() {}
})
