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

const goodAnswers: ReadonlyArray<string> = [
  "success",
  "slow_success",
  "reasoning_success",
  "tool_call_success",
  "parallel_tool_calls",
  "max_tokens",
  "slow_head"
]

/**
 * Whether every client takes it for the answer to its call, once it has come whole: the same asked again is another call
 * then. After anything else it is the next attempt.
 *
 * @since 0.1.0
 * @category guards
 */
export const isGoodAnswer = (behavior: string): boolean => goodAnswers.includes(behavior)

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
