import type { FaultName } from "../../domain/fault-names.ts"
import { derive } from "../../kernel/derive-seed.ts"
import { chooseFault, unitStream } from "./choose.ts"
import type { FaultWeights } from "./weights.ts"

/**
 * Which try of which call is meant: the client's conversation, its turn there, the try of that turn.
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultKey {
  readonly session: string
  readonly turn: number
  readonly attempt: number
}

/**
 * The fault of one attempt, whatever came before it: the order of arrival cannot change it, and no state is kept.
 *
 * **Source** issue 4, point 3; fault-server.md, sections 5.5 and 9.1.5
 *
 * @since 0.1.0
 * @category faults
 */
export const keyedChoice = (seed: number, key: FaultKey, weights: FaultWeights): FaultName => {
  const first = unitStream(derive(seed, `key:${key.session}/${key.turn}/${key.attempt}`))
  return chooseFault(weights, first())
}
