import { callsSettle } from "../../oracles/calls-settle.ts"
import { cancelled } from "../../oracles/cancel.ts"
import { requestsSettle } from "../../oracles/requests-settle.ts"
import { type RetryBudget, retryBudget } from "../../oracles/retry-budget.ts"
import { streamTermination } from "../../oracles/stream-termination.ts"
import { toolsOnce } from "../../oracles/tools-once.ts"
import type { JudgeOptions } from "../judge.ts"

/**
 * What a client must keep in every run; all are on unless they are `false`. That every turn settles, with an answer or an
 * error, is always demanded. Times are in milliseconds of virtual time.
 *
 * @since 0.1.0
 * @category fuzzing
 */
export interface FuzzProperties {
  /** A turn that completes gives the whole of its own answer, and a turn that nothing went wrong with completes. */
  readonly noLostTurn?: boolean
  /** A tool call is executed once at most, however often the model's answer came. */
  readonly noDoubleToolCall?: boolean
  /** A turn that the user gave up settles within `withinMs` (default 1,000), and nothing of it happens after that. */
  readonly noAnswerAfterCancel?: boolean | { readonly withinMs: number }
  /** No request comes before the moment that `Retry-After` asked for; other bounds where they are given. */
  readonly backOffRespected?: boolean | Partial<RetryBudget>
  /** A stream that broke off, or ended without its last event, is not taken for complete. */
  readonly everyStreamEndsOnce?: boolean
  /** Once the model has stopped failing, everything settles within so many milliseconds. Default 3,600,000. */
  readonly settleBudgetMs?: number
}

const cancelMsDefault = 1_000
const settleBudgetDefaultMs = 3_600_000

/**
 * The laws of the properties that are on; `noLostTurn` is judged by the workload, which knows what was said.
 *
 * @since 0.1.0
 * @category fuzzing
 */
export const fuzzJudge = (properties: FuzzProperties): JudgeOptions => {
  const { noAnswerAfterCancel: cancel = true, backOffRespected: backOff = true } = properties
  const { noDoubleToolCall = true, everyStreamEndsOnce = true, settleBudgetMs = settleBudgetDefaultMs } = properties
  const settlesWithinMs = typeof cancel === "object" ? cancel.withinMs : cancelMsDefault
  const budget = typeof backOff === "object" ? backOff : {}
  return {
    isBare: true,
    settleBudgetMs,
    oracles: [
      callsSettle(),
      requestsSettle(),
      ...(noDoubleToolCall ? [toolsOnce()] : []),
      ...(cancel === false ? [] : [cancelled({ settlesWithinMs })]),
      ...(backOff === false ? [] : [retryBudget({ ...patient, ...budget })]),
      ...(everyStreamEndsOnce ? [streamTermination()] : [])
    ]
  }
}

/** Nobody knows how often a client may try again, but its makers. */
const patient: RetryBudget = { retriesMax: Number.POSITIVE_INFINITY }
