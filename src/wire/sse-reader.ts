import type { SseEvent } from "../domain/sse-event.ts"

/**
 * Reads an event stream that arrives in pieces; `push` gives the events which the new piece completed.
 *
 * @since 0.1.0
 * @category models
 */
export interface EventReader {
  push(text: string): ReadonlyArray<SseEvent>
}

/**
 * A reader that follows the event-stream standard: LF, CRLF and CR end a line wherever the text is cut, a byte-order mark
 * at the start is skipped, comments, `id` and `retry` are ignored, and a tail without its blank line is no event.
 *
 * **Source** wire-formats.md, sections 1.1 and 1.2
 *
 * @since 0.1.0
 * @category constructors
 */
export const eventReader = (): EventReader => {
  const frame = frameReader()
  let line = ""
  let isFirst = true
  let isAfterCr = false

  const push = (text: string): ReadonlyArray<SseEvent> => {
    const events: Array<SseEvent> = []
    let from = 0
    if (isFirst && text !== "") {
      if (text.startsWith("\ufeff")) from = 1
      isFirst = false
    }
    for (let at = from; at < text.length; at++) {
      const char = text[at]
      if (char !== "\n" && char !== "\r") {
        isAfterCr = false
        continue
      }
      const isSecondHalf = char === "\n" && isAfterCr
      isAfterCr = char === "\r"
      if (!isSecondHalf) {
        const event = frame.takeLine(line + text.slice(from, at))
        if (event !== null) events.push(event)
        line = ""
      }
      from = at + 1
    }
    line += text.slice(from)
    return events
  }
  return { push }
}

/**
 * All events of a complete stream, or of a stream cut in pieces.
 *
 * @since 0.1.0
 * @category encoding
 */
export const readEvents = (text: string | ReadonlyArray<string>): ReadonlyArray<SseEvent> => {
  const reader = eventReader()
  return typeof text === "string" ? reader.push(text) : text.flatMap((piece) => reader.push(piece))
}

interface FrameReader {
  /** Gives the event when the line is the blank one that ends it. */
  takeLine(line: string): SseEvent | null
}

const frameReader = (): FrameReader => {
  let name = ""
  let data: Array<string> = []

  const dispatch = (): SseEvent | null => {
    const event = data.length === 0 ? null : { event: name === "" ? null : name, data: data.join("\n") }
    name = ""
    data = []
    return event
  }
  const takeLine = (line: string): SseEvent | null => {
    if (line === "") return dispatch()
    const colon = line.indexOf(":")
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1))
    if (field === "event") name = value
    if (field === "data") data.push(value)
    return null
  }
  return { takeLine }
}
