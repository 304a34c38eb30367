import { anyText, check, checkOption, either, having, listOf, members } from "../../domain/option-checks.ts"
import type { HeadlessResult } from "./headless-result.ts"

/** What can say what a mock was asked. */
export interface RequestSummary {
  summary(): string
}

/** What on stderr means that a program crashed, whatever agent it is. */
export const crashPatterns: ReadonlyArray<string> = [
  "panicked at",
  "SIGSEGV",
  "segfault",
  "undefined symbol",
  "SIGABRT",
  "cannot open shared object"
]

/** What means the same for agents that run on Node; for the `crashPatterns` of a profile. */
export const nodeCrashPatterns: ReadonlyArray<string> = [
  "FATAL ERROR:",
  "JavaScript heap out of memory",
  "UnhandledPromiseRejection",
  "Cannot find module",
  "ERR_MODULE_NOT_FOUND"
]

const crashSignals: ReadonlyArray<string> = ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL"]

/**
 * The last characters of a text, as many as are well-formed: half of a surrogate pair is never among them.
 *
 * **Takes** `lengthMax`, in UTF-16 units
 * **Gives** a suffix of the text
 * **Source** agent-harness.md, section 4.4
 *
 * @since 0.1.0
 * @category encoding
 */
export const stderrTail = (text: string, lengthMax: number): string => {
  checkOption(anyText, text, "the text")
  checkOption(aLength, lengthMax, "lengthMax")
  let start = text.length
  while (start > 0) {
    const size = characterBefore(text, start)
    if (size === 0 || text.length - start + size > lengthMax) break
    start -= size
  }
  return text.slice(start)
}

const aLength = check((value) => typeof value === "number" && !Number.isNaN(value), "a number of characters")

/** How long the character is that ends at a place; 0 when none does. */
const characterBefore = (text: string, end: number): number => {
  const code = text.charCodeAt(end - 1)
  if (code < 0xd800 || code > 0xdfff) return 1
  const before = text.charCodeAt(end - 2)
  return code >= 0xdc00 && before >= 0xd800 && before <= 0xdbff ? 2 : 0
}

/**
 * Throws unless a run ended by itself with code 0.
 *
 * **Takes** `mock`: whose request log is shown where the run exited with another code
 * **Source** agent-harness.md, section 4.4
 *
 * @since 0.1.0
 * @category guards
 */
export const assertHeadlessSuccess = (result: HeadlessResult, label: string, mock?: RequestSummary): void => {
  checkOption(having({ shownStderr: anyText }), result, "the result")
  const { timedOut, capMs, exitCode, signal, shownStderr: stderr } = result
  if (timedOut) throw new Error(`${label}: timed out after ${capMs} ms${shown(stderr, 500)}`)
  if (exitCode === 0) return
  const log = mock === undefined ? "" : `\nrequest log:\n${mock.summary()}`
  throw new Error(`${label}: exited with ${signal ?? `code ${exitCode}`}${shown(stderr, 1_000)}${log}`)
}

/**
 * Throws when stderr has one of the signs of a crash, in upper or lower case, or the run ended by a signal that is one.
 *
 * **Takes** a result, or a text, which is shown as it is; `patterns` besides those that count for all: those of a profile are in
 * its `crashPatterns`
 * **Source** agent-harness.md, section 4.4
 *
 * @since 0.1.0
 * @category guards
 */
export const assertNoCrashes = (
  from: string | Pick<HeadlessResult, "stderr" | "shownStderr" | "signal">,
  options: { readonly patterns?: ReadonlyArray<string> } = {}
): void => {
  checkOption(either(anyText, having({ stderr: anyText, shownStderr: anyText })), from, "the result")
  checkOption(members({ patterns: listOf(anyText) }), options)
  const { patterns = [] } = options
  const { stderr, shownStderr, signal } =
    typeof from === "string" ? { stderr: from, shownStderr: from, signal: null } : from
  const text = stderr.toLowerCase()
  const found = [...crashPatterns, ...patterns].find((pattern) => text.includes(pattern.toLowerCase()))
  if (found !== undefined) throw new Error(`stderr contains "${found}"${shown(shownStderr, 500)}`)
  if (signal !== null && crashSignals.includes(signal)) throw new Error(`ended by ${signal}${shown(shownStderr, 500)}`)
}

const shown = (stderr: string, lengthMax: number): string => `\nstderr: ${stderrTail(stderr, lengthMax)}`
