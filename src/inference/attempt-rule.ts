import { attemptWords, type KnownAttempt } from "../domain/known-attempt.ts"
import type { AttemptChain, Expectation } from "./expectation.ts"
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
  if (chain !== null && chain.attempt > 1) return isDue(chain, known)
  return !isOwnOnly(request) || (matcher.conditions ?? []).some((condition) => condition.isAboutAttempt === true)
}

/** Whether this is the try for which a later answer of a chain was written: of the very call that took the first one. */
const isDue = ({ attempt, call: { begun } }: AttemptChain, known: KnownAttempt): boolean =>
  begun !== null && begun.first === known.first && known.place - begun.place === attempt - 1

/** Whether an expectation was written for the call of a request, or for one before it that asked the same. */
export const isOfSameWords = ({ data: { chain } }: Expectation, { known }: InferenceRequest): boolean => {
  const first = chain?.call.begun?.first
  return first !== undefined && (first === known?.first || first === known?.repeats?.first)
}

/** The server cannot know of an answer that it has written whether it came. */
const sameAgain = ({ first, last }: { readonly first: number; readonly last: number }): string =>
  `it is for retries of #${first}, but the answer to #${last} was written to its end, so this is a new call, even if that got lost: ` +
  'script it with `times: n` and `sessions: { retries: "any" }`'

/** Why an expectation is not for this try of a call, in words; `null` when it is. */
export const attemptDifference = (expectation: Expectation, request: InferenceRequest): string | null => {
  const { chain } = expectation.data
  const { known } = request
  if (known === null || isForAttempt(expectation, request)) return null
  if (chain === null || chain.attempt === 1) return `it is for a first attempt, but this is ${attemptWords(known)}`
  const { begun } = chain.call
  if (begun === null) return "it is for retries of a call that has not come yet"
  if (begun.first === known.repeats?.first) return sameAgain(known.repeats)
  if (begun.first !== known.first) return `it is for retries of another call, which began with #${begun.first}`
  return `it is answer ${chain.attempt} to the tries of this call, but this is ${attemptWords(known)}`
}
