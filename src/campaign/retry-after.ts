import { headerIn } from "../sim/transport-messages.ts"

/**
 * For how long an answer asks its client to wait, in milliseconds from now; `null` when it does not. `retry-after-ms` goes before
 * `retry-after`, which is in seconds or a date.
 *
 * **Source** RFC 9110, section 10.2.3
 *
 * @since 0.1.0
 * @category readers
 */
export const retryAfterMs = (headers: ReadonlyArray<string>, wallMs: number): number | null => {
  const exact = plainNumber(headerIn(headers, "retry-after-ms"))
  if (exact !== null) return exact
  const text = headerIn(headers, "retry-after")
  if (text === undefined) return null
  const seconds = plainNumber(text)
  if (seconds !== null) return seconds * 1_000
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - wallMs)
}

const plainNumber = (text: string | undefined): number | null => {
  if (text === undefined || text.trim() === "") return null
  const number = Number(text)
  return Number.isFinite(number) && number >= 0 ? number : null
}
