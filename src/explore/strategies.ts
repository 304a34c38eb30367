import { corpusStrategy } from "./corpus-strategy.ts"
import { delayStrategy } from "./delay-strategy.ts"
import { dfsStrategy } from "./dfs-strategy.ts"
import { pctStrategy } from "./pct-strategy.ts"
import { portfolioStrategy } from "./portfolio-strategy.ts"
import { posStrategy } from "./pos-strategy.ts"
import { randomStrategy, swarmStrategy } from "./random-strategy.ts"
import type { Strategy } from "./strategy.ts"

/**
 * Every strategy by its name, the default first.
 *
 * @since 0.1.0
 * @category exploring
 */
export const strategies = {
  portfolio: () => portfolioStrategy(),
  random: () => randomStrategy(),
  swarm: () => swarmStrategy(),
  pct: () => pctStrategy(),
  pos: () => posStrategy(),
  delay: () => delayStrategy(),
  dfs: () => dfsStrategy(),
  corpus: () => corpusStrategy()
} as const satisfies Record<string, () => Strategy>

export type StrategyName = keyof typeof strategies
