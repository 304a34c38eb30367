/**
 * Public subpath `llm-understudy/properties`: what holds for every run of the mock inference server, for use in other
 * suites. Needs `fast-check`.
 *
 *     fc.assert(
 *       fc.asyncProperty(arbitraries.anyHistory, async (history) => {
 *         const observations = await runHistory(history)
 *         invariants.onePrimary(history, observations)
 *       })
 *     )
 *
 * `arbitraries.choices()` are choices of simulated runs, so that fast-check shrinks a workload and what happened to it together.
 *
 * A history is plain data and prints as readable lines. `runHistory` runs it in virtual time, against our server or against
 * the one that its option `start` gives; `judge` runs the reference model beside what was seen.
 */
import { choices, schedule } from "../properties/arbitraries/choices.ts"
import { fanOut } from "../properties/arbitraries/fan-out.ts"
import { anyHistory, histories } from "../properties/arbitraries/histories.ts"
import { barriers, matcher, requestSpec, script } from "../properties/arbitraries/requests.ts"

/**
 * Generators of fast-check: whole histories, and the parts that they are made of.
 *
 * @since 0.1.0
 * @category constructors
 */
export const arbitraries = {
  /** Every kind of history: calls of a test, events of the clock with drawn ties, closed on the way or not. */
  anyHistory,
  /** Histories of one kind. */
  histories,
  /** Many different requests at once against several expectations. */
  fanOut,
  request: requestSpec,
  matcher,
  script,
  barriers,
  /** What a simulated run may choose: schedule, faults, delays and draws, for `withSim({ choice })` of `llm-understudy/sim`. */
  choices,
  /** Which event goes first alone, for the same. */
  schedule
} as const

export type { ChoicesOptions } from "../properties/arbitraries/choices.ts"
export type { FanOut } from "../properties/arbitraries/fan-out.ts"
export type { HistoryOptions } from "../properties/arbitraries/histories.ts"
export type { Invariant } from "../properties/invariants/account.ts"
export type { Comparison } from "../properties/invariants/comparisons.ts"
export { fanOutIsExact } from "../properties/invariants/fan-out.ts"
export { comparisons, type InvariantName, invariants } from "../properties/invariants/invariants.ts"
export { reached, type SightName, sights } from "../properties/invariants/reached.ts"
export type {
  BarrierPlace,
  Command,
  History,
  QueueName,
  RequestSpec,
  Script,
  ScriptFault,
  Setup,
  Step,
  Stray
} from "../properties/model/command.ts"
export { type Judgement, judge } from "../properties/model/judge.ts"
export { historyLines } from "../properties/model/readable.ts"
export { type SentRequest, sentRequest } from "../properties/model/request.ts"
export type { ModelState } from "../properties/model/state.ts"
export type { Difference } from "../properties/model/walk.ts"
export type {
  Done,
  Moment,
  Observations,
  SeenEnd,
  SeenEnding,
  SeenExchange,
  SeenExpectation,
  SeenPhase,
  SeenWait
} from "../properties/observation/observations.ts"
export { type RunOptions, runHistory } from "../properties/observation/run-history.ts"
