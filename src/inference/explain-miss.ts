import { clip } from "../domain/clip.ts"
import { explainKind } from "../domain/explain-kind.ts"
import { attemptWords } from "../domain/known-attempt.ts"
import { endpointsOf } from "../domain/matcher.ts"
import { judgeCondition } from "../domain/request-condition.ts"
import { withoutSecrets } from "../domain/secret-header.ts"
import { attemptDifference, isOfSameWords, isOwnOnly } from "./attempt-rule.ts"
import type { Expectation } from "./expectation.ts"
import type { ExpectationBook } from "./expectation-book.ts"
import { type InferenceRequest, seen } from "./inference-request.ts"

/** Explaining a miss looks at this many pending expectations at most. */
const lookedAtMax = 1_000

/** An explanation, and one difference of it, are cut at so many characters. */
const missLengthMax = 2_000
const differenceLengthMax = 300

/**
 * Why no expectation took a request: the nearest pending one, field by field, with the difference. Shows no value of a
 * header that holds a key.
 *
 * @since 0.1.0
 * @category errors
 */
export const explainMiss = (book: Pick<ExpectationBook, "pending">, request: InferenceRequest): string => {
  const is = `the request is ${requestWords(request)}${retryWords(request)}`
  const pending = book.pending(lookedAtMax)
  const misses = pending.map((expectation) => ({
    expectation,
    differences: differencesOf(expectation, request),
    distance: distanceOf(expectation, request)
  }))
  const [nearest] = misses.sort((a, b) => a.distance - b.distance || a.differences.length - b.differences.length)
  if (nearest === undefined) return `${is}; no expectation is pending`
  const others = pending.length === 1 ? "" : ` (of ${pending.length} pending)`
  const why = nearest.differences.join("; ")
  return clip(`${is}; the nearest expectation${others} is \`${nearest.expectation.data.name}\`: ${why}`, missLengthMax)
}

/** Endpoint and kind of a request, with the reason for the kind. */
export const requestWords = ({ endpoint, head, body }: InferenceRequest): string =>
  `${endpoint}, ${explainKind(head.headers, body.value)}`

const retryWords = (request: InferenceRequest): string =>
  request.known !== null && isOwnOnly(request)
    ? `; it is ${attemptWords(request.known)} and takes only what is scripted for its own call, unless \`sessions: { retries: "any" }\``
    : ""

/**
 * Another endpoint is farther than another kind, that farther than another attempt, and that farther than any conditions. Of the
 * attempts of others, those of a call of the same words are nearer.
 */
const distanceOf = (expectation: Expectation, request: InferenceRequest): number => {
  const { matcher } = expectation.data
  return (
    (endpointsOf(matcher).includes(request.endpoint) ? 0 : 4) +
    (matcher.kind === request.kind ? 0 : 2) +
    (attemptDifference(expectation, request) === null ? 0 : isOfSameWords(expectation, request) ? 0.5 : 1)
  )
}

/**
 * What an expectation wants and a request does not have, one line each.
 *
 * @since 0.1.0
 * @category errors
 */
export const differencesOf = (expectation: Expectation, request: InferenceRequest): ReadonlyArray<string> => {
  const { matcher } = expectation.data
  const endpoints = endpointsOf(matcher)
  const looked = seen(request)
  const attempt = attemptDifference(expectation, request)
  const conditions = (matcher.conditions ?? []).flatMap((condition) => {
    const found = judgeCondition(condition, looked)
    return found === null ? [] : [`it wants ${condition.description}, but ${found}`]
  })
  return [
    ...(endpoints.includes(request.endpoint) ? [] : [`it wants ${endpoints.join(" or ")}, not ${request.endpoint}`]),
    ...(matcher.kind === request.kind ? [] : [`it wants ${matcher.kind}, not ${request.kind}`]),
    ...(attempt === null ? [] : [attempt]),
    ...conditions
  ].map((difference) => clip(withoutSecrets(difference, request.head.headers), differenceLengthMax))
}
