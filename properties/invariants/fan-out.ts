import type { History } from "../model/command.ts"
import { judge } from "../model/judge.ts"
import type { Observations, SeenExchange } from "../observation/observations.ts"
import { broken } from "./account.ts"

/**
 * 6. Of N requests that are different calls, in flight together in any order, min(N, M) take one of M matching expectations
 * each, and the others go on to the next source.
 *
 * @since 0.1.0
 * @category invariants
 */
export const fanOutIsExact = (
  history: History & { readonly requests: number; readonly expectations: number; readonly queued: number },
  observations: Observations
): void => {
  const asked = observations.exchanges.slice(0, history.requests).filter((exchange) => exchange !== null)
  const from = (source: SeenExchange["source"]) => asked.filter((exchange) => exchange.source === source)
  const claimed = new Set(from("expectation").map(({ expectation }) => expectation))
  const wanted = Math.min(history.requests, history.expectations)
  const rest = history.requests - wanted
  const queued = Math.min(rest, history.queued)
  const seen = [from("expectation").length, claimed.size, from("queue").length, from("mode").length]
  if (seen.join() !== [wanted, wanted, queued, rest - queued].join()) {
    broken(
      `${seen[0]} took ${seen[1]} expectations, ${seen[2]} the queue, ${seen[3]} the mode; ${wanted}, ${queued} and ${rest - queued} should`
    )
  }
  const difference = judge(history, observations).differences[0]
  if (difference !== undefined) broken(difference.text)
}
