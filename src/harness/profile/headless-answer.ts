import { isRecord } from "../../domain/json.ts"
import { valueAt } from "../../domain/json-pointer.ts"
import type { HeadlessFormat, JsonObject } from "./agent-profile.ts"

/** What a headless run said, as far as its format tells. */
export interface HeadlessSaid {
  /** The answer of the model; `null` where the format does not tell, or the run did not get so far. */
  readonly answer: string | null
  readonly sessionId: string | null
  /** The event that ends a good run, or the whole of a single value; `undefined` when there was none. */
  readonly terminal: unknown
}

/**
 * Reads what a headless run printed, by the shape that its profile describes. Lines that are no JSON are passed over.
 *
 * **Source** agent-harness.md, sections 1.1 and 4.5
 *
 * @since 0.1.0
 * @category encoding
 */
export const readHeadlessOutput = (stdout: string, format: HeadlessFormat): HeadlessSaid => {
  if (format.output === "text") return { answer: stdout.replace(/\r?\n$/, ""), sessionId: null, terminal: undefined }
  const events = format.output === "ndjson" ? stdout.split("\n").flatMap(parsed) : parsed(stdout).flat()
  const terminal = lastOf(events, format.terminal)
  const sessionId = format.sessionId === null ? null : text(valueAt(terminal, format.sessionId))
  return { answer: answerIn(events, { format, terminal }), sessionId, terminal }
}

const answerIn = (
  events: ReadonlyArray<unknown>,
  { format: { answer }, terminal }: { readonly format: HeadlessFormat; readonly terminal: unknown }
): string | null => {
  if (answer === null) return null
  const { event, at, parts } = answer
  const holders = event === null ? [terminal] : events.filter((candidate) => has(candidate, event))
  const texts = holders.map((holder) => text(valueAt(holder, at))).filter((found) => found !== null)
  if (texts.length === 0) return null
  return parts === "all" ? texts.join("") : (texts.at(-1) ?? null)
}

const parsed = (line: string): ReadonlyArray<unknown> => {
  if (line.trim() === "") return []
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}

const lastOf = (events: ReadonlyArray<unknown>, members: JsonObject | null): unknown =>
  members === null ? events.at(-1) : events.findLast((event) => has(event, members))

/** Whether a value has these members, and those inside them. */
const has = (value: unknown, members: JsonObject): boolean =>
  isRecord(value) &&
  Object.entries(members).every(([name, wanted]) => {
    const found = Object.hasOwn(value, name) ? value[name] : undefined
    return isRecord(wanted) ? has(found, wanted) : JSON.stringify(found) === JSON.stringify(wanted)
  })

const text = (value: unknown): string | null => (typeof value === "string" ? value : null)
