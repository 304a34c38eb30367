import { clip } from "../domain/clip.ts"
import { VerificationFailed } from "../domain/errors.ts"
import type { TraceEvent } from "../domain/trace-event.ts"
import type { MockInferenceServer } from "../inference/server-api.ts"
import { eventLine } from "./event-line.ts"
import type { Redaction } from "./redaction.ts"
import type { Report } from "./report.ts"

/** So many leftovers are told, each cut at so many characters. */
const toldMax = 20
const lineLengthMax = 400

/**
 * Tells what `verify()` of a strict server says when it has stopped: on stderr, where something is left, and as a record
 * `leftovers` with `--log jsonl` in any case.
 *
 * @since 0.1.0
 * @category running
 */
export const tellLeftovers = (
  server: Pick<MockInferenceServer, "verify">,
  { report, redaction }: { readonly report: Report; readonly redaction: Redaction }
): void => {
  const { count, lines } = leftoversOf(server, redaction)
  report.record({ type: "leftovers", count, lines })
  if (count > 0) report.human(...leftoverText({ count, lines }))
}

/** What is left of what was scripted. */
export interface Leftovers {
  readonly count: number
  /** The first of them, one line each. */
  readonly lines: ReadonlyArray<string>
}

/** In a sentence, and the lines under it. */
export const leftoverText = ({ count, lines }: Leftovers): [sentence: string, lines: ReadonlyArray<string>] => {
  const rest = count > lines.length ? [`and ${count - lines.length} more`] : []
  return [`the server was left with ${count} that nobody took, finished or expected:`, [...lines, ...rest]]
}

/** @since 0.1.0 @category models */
export const leftoversOf = (server: Pick<MockInferenceServer, "verify">, redaction: Redaction): Leftovers => {
  const leftovers = unverified(server)
  const lines = leftovers.slice(0, toldMax).map((line) => clip(plain(redaction.text(line)), lineLengthMax))
  return { count: leftovers.length, lines }
}

const unverified = (server: Pick<MockInferenceServer, "verify">): ReadonlyArray<string> => {
  try {
    server.verify()
    return []
  } catch (error) {
    if (error instanceof VerificationFailed) return error.leftovers
    throw error
  }
}

/** What a terminal could take for a command does not reach it. */
const plain = (words: string): string => words.replace(/[^ -~…]/g, "?")

/** A request that a strict server refused, as a line for people; `null` for any other event. */
export const refusalLine = (event: TraceEvent): string | null => {
  const isRefusal = event.type === "refused" || (event.type === "decision" && event.miss !== null)
  return isRefusal ? eventLine(event).trimStart() : null
}
