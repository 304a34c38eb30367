import type { LineEnding, SseEvent } from "../domain/sse-event.ts"

const terminators: Readonly<Record<LineEnding, string>> = { lf: "\n", crlf: "\r\n", cr: "\r" }

/**
 * A comment frame: activity on the wire that is no event.
 *
 * **Source** wire-formats.md, section 1.5
 *
 * @since 0.1.0
 * @category encoding
 */
export const keepAliveFrame = ":\n\n"

/**
 * One frame: the `event:` line if there is a name, one `data:` line for each LF-separated piece of the payload (none for
 * an empty payload), and the blank line.
 *
 * **Takes** data without CR and a name without CR and LF, which registration has checked
 * **Fails** never
 * **Source** wire-formats.md, section 1.1
 *
 * @since 0.1.0
 * @category encoding
 */
export const encodeEvent = (event: SseEvent, lineEnding: LineEnding = "lf"): string => {
  const end = terminators[lineEnding]
  if (event.comment !== undefined) return `:${event.comment === "" ? "" : ` ${event.comment}`}${end}${end}`
  const name = event.event === null ? "" : `event: ${event.event}${end}`
  return `${name}${dataLines(event.data, end)}${end}`
}

/**
 * The frames of a list of events, joined.
 *
 * @since 0.1.0
 * @category encoding
 */
export const encodeEvents = (events: ReadonlyArray<SseEvent>, lineEnding: LineEnding = "lf"): string => {
  let text = ""
  for (const event of events) text += encodeEvent(event, lineEnding)
  return text
}

const dataLines = (data: string, end: string): string => {
  if (data === "") return ""
  if (!data.includes("\n")) return `data: ${data}${end}`
  return data
    .split("\n")
    .map((piece) => `data: ${piece}${end}`)
    .join("")
}
