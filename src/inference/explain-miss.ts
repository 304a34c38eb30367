import { explainKind } from "../domain/explain-kind.ts"
import { endpointsOf } from "../domain/matcher.ts"
import { judgeCondition } from "../domain/request-condition.ts"
import type { Expectation } from "./expectation.ts"
import type { ExpectationBook } from "./expectation-book.ts"
import { type InferenceRequest, seen } from "./inference-request.ts"

/** Explaining a miss looks at this many pending expectations at most. */
const lookedAtMax = 1_000

/**
 * Why no expectation took a request: the nearest pending one, field by field, with the difference.
 *
 * @since 0.1.0
 * @category errors
 */
export const explainMiss = (book: ExpectationBook, request: InferenceRequest): string => {
  const is = `the request is ${request.endpoint}, ${explainKind(request.head.headers, request.body.value)}`
  const pending = book.pending().slice(0, lookedAtMax)
  const misses = pending.map((expectation) => ({
    expectation,
    differences: differencesOf(expectation, request),
    distance: distanceOf(expectation, request)
  }))
  const [nearest] = misses.sort((a, b) => a.distance - b.distance || a.differences.length - b.differences.length)
  if (nearest === undefined) return `${is}; no expectation is pending`
  const others = pending.length === 1 ? "" : ` (of ${pending.length} pending)`
  return `${is}; the nearest expectation${others} is \`${nearest.expectation.data.name}\`: ${nearest.differences.join("; ")}`
}

/** Another endpoint is farther than another kind, and that farther than any conditions. */
const distanceOf = ({ data: { matcher } }: Expectation, request: InferenceRequest): number =>
  (endpointsOf(matcher).includes(request.endpoint) ? 0 : 2) + (matcher.kind === request.kind ? 0 : 1)

const differencesOf = ({ data: { matcher } }: Expectation, request: InferenceRequest): ReadonlyArray<string> => {
  const endpoints = endpointsOf(matcher)
  const looked = seen(request)
  const conditions = (matcher.conditions ?? []).flatMap((condition) => {
    const found = judgeCondition(condition, looked)
    return found === null ? [] : [`it wants ${condition.description}, but ${found}`]
  })
  return [
    ...(endpoints.includes(request.endpoint) ? [] : [`it wants ${endpoints.join(" or ")}, not ${request.endpoint}`]),
    ...(matcher.kind === request.kind ? [] : [`it wants ${matcher.kind}, not ${request.kind}`]),
    ...conditions
  ]
}
