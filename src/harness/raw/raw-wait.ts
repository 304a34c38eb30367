import { ProtocolViolation } from "../../domain/harness-errors.ts"
import { isRecord } from "../../domain/json.ts"
import { isResponseTo, type LineContent } from "../../wire/acp/line-content.ts"
import type { JsonMessage } from "./raw-client.ts"

/** A line that somebody may wait for. */
export interface ReadLine {
  readonly text: string
  readonly content: LineContent
}

/** What somebody waits for. */
export interface WaitGoal {
  readonly what: string
  readonly object: "response" | "message"
  /** Whether a line is the one; what it throws fails the wait. */
  matches(line: ReadLine): boolean
  /** What the line that is the one gives; what it throws fails the wait. */
  found(line: ReadLine): JsonMessage | undefined
  /** Whether the wait succeeds when its time is over. */
  readonly isForSilence: boolean
}

/** The message of a line, when it is a JSON object. */
export const messageIn = ({ text, content }: ReadLine): JsonMessage | undefined => {
  if (content.kind === "blank" || content.kind === "pollution" || content.kind === "batch") return undefined
  const value: unknown = JSON.parse(text)
  return isRecord(value) ? value : undefined
}

/** The response to a string id, echoed unchanged. */
export const responseGoal = (id: string, what = `the response to ${JSON.stringify(id)}`): WaitGoal => ({
  what,
  object: "response",
  matches: ({ content }) => isResponseTo(content, id),
  found: messageIn,
  isForSilence: false
})

/** A message that a predicate is true of. */
export const messageGoal = (predicate: (message: JsonMessage) => boolean, what = "a message"): WaitGoal => ({
  what,
  object: "message",
  matches(line) {
    const message = messageIn(line)
    return message !== undefined && predicate(message)
  },
  found: messageIn,
  isForSilence: false
})

/** No line at all. */
export const silenceGoal = (ms: number, shown: (text: string) => string, diagnostics: () => string): WaitGoal => ({
  what: `silence for ${ms} ms`,
  object: "message",
  matches: () => true,
  found({ text }) {
    throw new ProtocolViolation(`silence for ${ms} ms`, { line: shown(text), diagnostics: diagnostics() })
  },
  isForSilence: true
})
