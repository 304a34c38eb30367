import { clip } from "../domain/clip.ts"
import { endpointPaths } from "../domain/endpoint.ts"
import { member } from "../domain/json.ts"
import type { LogEntry } from "./log-entry.ts"

/** The system prompt of the newest chat or responses request, `undefined` when it has none. */
export const lastSystemPrompt = (entries: ReadonlyArray<LogEntry>): string | undefined => {
  const newest = entries.findLast(
    ({ path }) => path === endpointPaths.ChatCompletions || path === endpointPaths.Responses
  )
  const messages = member(newest?.body, "messages")
  const first = Array.isArray(messages) ? member(messages[0], "content") : undefined
  if (typeof first === "string") return first
  const instructions = member(newest?.body, "instructions")
  return typeof instructions === "string" ? instructions : undefined
}

/** An explanation in a summary is cut at so many characters. */
const missLengthMax = 300

/** One line for each entry; with the explanation, where nothing was scripted for it. */
export const logSummary = (entries: ReadonlyArray<LogEntry>): string =>
  entries.length === 0
    ? "(no requests received)"
    : entries.map((entry, index) => `  [${index}] ${entry.method} ${entry.path}${missOf(entry)}`).join("\n")

const missOf = ({ answer: { miss } }: LogEntry): string =>
  miss === null ? "" : `: unexpected: ${clip(miss.replace(/\s+/g, " "), missLengthMax)}`
