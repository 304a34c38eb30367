import type { SeenExchange } from "../observation/observations.ts"
import type { ModelState } from "./state.ts"
import type { Difference } from "./walk.ts"

/**
 * Adds one logged request to the model's log, and compares the number that it got.
 *
 * **Source** inference-server.md, section 9
 */
export const logRequest = ({ log, setup }: ModelState, seen: SeenExchange): ReadonlyArray<Difference> => {
  log.count++
  if (log.isKeeping) log.kept = [...log.kept, log.count].slice(-setup.logEntriesMax)
  return seen.number === log.count
    ? []
    : [{ laws: [34], text: `request at ${seen.at} ms is number ${seen.number} in the log and not ${log.count}` }]
}
