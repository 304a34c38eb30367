import { clip } from "../domain/clip.ts"
import type { Expectation } from "./expectation.ts"
import { differencesOf, requestWords } from "./explain-miss.ts"
import type { InferenceRequest } from "./inference-request.ts"

/**
 * The newest requests that no expectation took while some were pending, for the message of a failed assertion. Each is
 * compared when it passes, for it is not kept.
 *
 * @since 0.1.0
 * @category expectations
 */
export interface PassedBy {
  note(passed: PassedRequest): void
  /** What passed an expectation by, oldest first, with what it wanted and did not find. */
  words(expectation: Expectation): ReadonlyArray<string>
}

/** A request that no expectation took, and those that might have. */
export interface PassedRequest {
  readonly number: number
  readonly request: InferenceRequest
  readonly pending: ReadonlyArray<Expectation>
}

/** So many requests are kept in words, and each is compared with so many pending expectations. */
const requestsMax = 16
export const comparedMax = 64

/** What is told of one request is cut at so many characters. */
const lengthMax = 600

interface Passed {
  readonly words: string
  readonly isComparedWithAll: boolean
  /** Weak, so that a settled expectation is not kept. */
  readonly differences: WeakMap<Expectation, string>
}

/** @since 0.1.0 @category constructors */
export const makePassedBy = (): PassedBy => {
  const kept: Array<Passed> = []
  return {
    note({ number, request, pending }) {
      const differences = new WeakMap<Expectation, string>()
      for (const expectation of pending.slice(0, comparedMax)) {
        differences.set(expectation, differencesOf(expectation, request).join("; "))
      }
      const isComparedWithAll = pending.length <= comparedMax
      if (kept.push({ words: `#${number} ${requestWords(request)}`, isComparedWithAll, differences }) > requestsMax) {
        kept.shift()
      }
    },
    words: (expectation) =>
      kept.map(({ words, isComparedWithAll, differences }) => {
        const difference =
          differences.get(expectation) ?? (isComparedWithAll ? "it came before this was registered" : "")
        return clip(difference === "" ? words : `${words}: ${difference}`, lengthMax)
      })
  }
}
