import type { WrittenMessage } from "../arbitraries/http-messages.ts"

/** A stretch of a body; not all of an event stream belongs to events. */
export interface BodyStretch {
  readonly text: string
  readonly isFrame: boolean
}

/** Lines with their ends, which are LF, CR LF and CR. */
const linesOf = (text: string): ReadonlyArray<string> => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []

const isData = (line: string): boolean => /^data(?:[:\r\n]|$)/.test(line)

const byteOrderMark = "\u00ef\u00bb\u00bf"

/** The events of a stream and what is between them. An event that its stream ends is none. */
const eventStretches = (body: string): ReadonlyArray<BodyStretch> => {
  const stretches: Array<BodyStretch> = []
  let text = ""
  let hasData = false
  let isCrAlone = false
  for (const [place, line] of linesOf(body).entries()) {
    const plain = place === 0 && line.startsWith(byteOrderMark) ? line.slice(byteOrderMark.length) : line
    // Nobody could wait for an LF behind it.
    const isCutShort = plain === "\r\n" && isCrAlone
    text += isCutShort ? line.slice(0, -1) : line
    if (isData(plain)) hasData = true
    isCrAlone = line.endsWith("\r")
    if (!/^[\r\n]/.test(plain)) continue
    stretches.push({ text, isFrame: hasData })
    text = isCutShort ? "\n" : ""
    hasData = false
  }
  return text === "" ? stretches : [...stretches, { text, isFrame: false }]
}

const isEventStream = ({ headers }: WrittenMessage): boolean => headers.includes("Content-Type: text/event-stream")

/** What a body consists of, by docs/proxy.md: events and what is between them, or one frame, or nothing. */
export const stretchesOf = (message: WrittenMessage): ReadonlyArray<BodyStretch> => {
  if (isEventStream(message)) return eventStretches(message.body)
  return message.body === "" ? [] : [{ text: message.body, isFrame: true }]
}

/** How many frames a message has: its heads, and those of its body. */
export const framesIn = (message: WrittenMessage): number =>
  message.informed.length + 1 + stretchesOf(message).filter(({ isFrame }) => isFrame).length

/** An event of an exchange, and where it stands. */
export interface EventPlace {
  /** Of the exchange on its connection. */
  readonly exchange: number
  /** Of the frame in its direction, from 1. */
  readonly index: number
  /** Of the stretch in its body. */
  readonly stretch: number
}

/** All events that answers have. */
export const eventsOf = (responses: ReadonlyArray<WrittenMessage>): ReadonlyArray<EventPlace> => {
  const places: Array<EventPlace> = []
  let before = 0
  for (const [exchange, response] of responses.entries()) {
    before += response.informed.length + 1
    for (const [stretch, { isFrame }] of stretchesOf(response).entries()) {
      if (!isFrame) continue
      before += 1
      if (isEventStream(response)) places.push({ exchange, index: before, stretch })
    }
  }
  return places
}
