import { AgentClosed, FrameTooLarge, RequestTimeout, WaitTimeout } from "../../domain/harness-errors.ts"
import { shownLineMax } from "../../domain/raw-limits.ts"
import { shownStderrMax } from "../../domain/session-limits.ts"
import { stderrTail } from "../headless/headless-assertions.ts"
import type { OwnedProcess } from "../process/owned-process.ts"
import type { LinesEnd } from "./inbound-lines.ts"

/** What a wait knows of itself when it fails. */
export interface WaitReport {
  readonly what: string
  readonly ms: number
  /** What it looked for. */
  readonly object: "response" | "message"
  readonly skipped: number
  /** The last lines that it passed over. */
  readonly tail: ReadonlyArray<string>
}

/** The agent of a client, as its failures show it. */
export interface ReportedAgent {
  readonly process: OwnedProcess
  /** Makes what it wrote fit to be shown. */
  readonly shown: (text: string) => string
}

/**
 * The failure of a wait whose time is over: how many lines came that were not what it waited for, and the last three of them.
 *
 * **Source** agent-harness.md, section 3.4
 *
 * @since 0.1.0
 * @category errors
 */
export const lateError = (
  { what, ms, object, skipped, tail }: WaitReport,
  { process, shown }: ReportedAgent
): RequestTimeout | WaitTimeout => {
  const last = tail.map((line) => shownLine(shown(line))).join(", ")
  const head = `${what}: no matching ${object} within ${ms} ms (${skipped} other messages seen; last: [${last}])`
  const options = { ms, report: withStderr(head, { process, shown }), diagnostics: process.diagnostics() }
  return object === "response" ? new RequestTimeout(what, options) : new WaitTimeout(what, options)
}

/**
 * The failure of a wait for an agent of which nothing more comes.
 *
 * **Source** agent-harness.md, sections 3.4 and 3.7
 *
 * @since 0.1.0
 * @category errors
 */
export const overError = (
  end: LinesEnd,
  { what, skipped }: WaitReport,
  { process, shown }: ReportedAgent
): AgentClosed | FrameTooLarge => {
  const options = { diagnostics: process.diagnostics() }
  if (end.kind === "overflow") return new FrameTooLarge(`a line of ${process.label}`, { ...options, ...end })
  const reason = end.kind === "ended" ? "agent closed stdout" : `reading stdout failed (${shown(end.problem)})`
  const head = `${what}: ${reason} before responding (${skipped} other messages seen)`
  return new AgentClosed(withStderr(head, { process, shown }), options)
}

/** The failure of what is still waited for when the client is closed, or asked for afterwards. */
export const closedError = (what: string, { process }: ReportedAgent): AgentClosed =>
  new AgentClosed(`${what}: the client of ${process.label} is closed`, { diagnostics: process.diagnostics() })

/** The failure of a send to an agent that can say nothing any more. */
export const unsentError = ({ process }: ReportedAgent): AgentClosed =>
  new AgentClosed(`nothing can be sent to ${process.label}: its output has ended`, {
    diagnostics: process.diagnostics()
  })

const withStderr = (head: string, { process, shown }: ReportedAgent): string =>
  `${head}\nstderr: ${stderrTail(shown(process.stderr.text()), shownStderrMax)}`

/** A line without what is blank at its end, cut. */
const shownLine = (line: string): string => {
  const text = line.trimEnd()
  if (text.length <= shownLineMax) return text
  const last = text.charCodeAt(shownLineMax - 1)
  // Half of a surrogate pair is left out.
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? shownLineMax - 1 : shownLineMax)
}
