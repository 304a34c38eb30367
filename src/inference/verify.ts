import { VerificationFailed } from "../domain/errors.ts"
import type { InferenceCore } from "./inference-core.ts"

/**
 * Throws when something was left over: expectations that are not satisfied, scripts that were not served, requests that
 * nothing was scripted for, calls that the test took and did not answer, `next()` and `gather()` for which no request came.
 * A held call whose client has left is none of these.
 *
 * **Fails** with `VerificationFailed`, one line each
 *
 * @since 0.1.0
 * @category guards
 */
export const verify = ({ book, state, takers }: InferenceCore): void => {
  const unmet = book.unsettled().map(({ data }) => `expectation \`${data.name}\` (state: ${data.progress.phase})`)
  const abandoned = book.abandoned().map((name) => `expectation \`${name}\` (state: Abandoned)`)
  const unserved = [...state.queues].flatMap(([path, queue]) =>
    queue.size() === 0 ? [] : [`${queue.size()} queued for ${path} and not served`]
  )
  const turns = state.turns.size() === 0 ? [] : [`${state.turns.size()} agent turns not taken`]
  const leftovers = [...unmet, ...abandoned, ...unserved, ...turns, ...state.unexpected, ...takers.leftovers()]
  if (leftovers.length > 0) throw new VerificationFailed(leftovers)
}
