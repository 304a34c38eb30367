import { attemptWords } from "../domain/known-attempt.ts"
import type { Expectation } from "./expectation.ts"
import type { InferenceRequest } from "./inference-request.ts"

/**
 * While attempts are counted, a retry takes only what was scripted for its own call: it never eats the next turn's answer.
 * Unless the test says so: by `retries: "any"`, or by a condition on the attempt.
 *
 * @since 0.1.0
 * @category sessions
 */
export const isOwnOnly = ({ known, rules }: InferenceRequest): boolean =>
  known !== null && known.attempt > 1 && rules.retries !== "any"

/** Whether an expectation is for this try of a call. */
export const isForAttempt = ({ data: { chain, matcher } }: Expectation, request: InferenceRequest): boolean => {
  const { known } = request
  // Whoever came before attempts were counted is nobody's retry.
  if (known === null) return chain === null || chain.attempt === 1
  if (chain !== null && chain.attempt > 1) return known.attempt > 1 && chain.call.key === known.key
  return !isOwnOnly(request) || (matcher.conditions ?? []).some((condition) => condition.isAboutAttempt === true)
}

/** Why an expectation is not for this try of a call, in words; `null` when it is. */
export const attemptDifference = (expectation: Expectation, request: InferenceRequest): string | null => {
  const { chain } = expectation.data
  const { known } = request
  if (known === null || isForAttempt(expectation, request)) return null
  if (chain === null || chain.attempt === 1) return `it is for a first attempt, but this is ${attemptWords(known)}`
  if (chain.call.key === null) return "it is for retries of a call that has not come yet"
  if (chain.call.key !== known.key) return "it is for retries of another call"
  return "it is for retries of this call, but this is its first attempt"
}
