import type { Outcome } from "../domain/outcome.ts"
import type { Header } from "../domain/request.ts"
import type { FaultRecord } from "./fault-server-api.ts"

/** A record while its exchange goes on. Only this module changes it. */
export type OpenRecord = { -readonly [Member in keyof FaultRecord]: FaultRecord[Member] }

/**
 * The headers of a record: names in lower case, repeated values joined, `set-cookie` always a list.
 *
 * **Source** fault-server.md, section 6.3
 *
 * @since 0.1.0
 * @category encoding
 */
export const recordHeaders = (
  headers: ReadonlyArray<Header>
): Readonly<Record<string, string | ReadonlyArray<string>>> => {
  const values = new Map<string, Array<string>>()
  for (const [name, value] of headers) {
    const earlier = values.get(name)
    if (earlier === undefined) values.set(name, [value])
    else earlier.push(value)
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, name === "set-cookie" ? list : list.join(", ")]))
}

/** Whether an exchange was dropped on purpose, and how: what `closeMode` says. */
export const closeModeOf = (outcome: Outcome, ending: string): string | undefined =>
  outcome === "reset" ? ending : undefined
