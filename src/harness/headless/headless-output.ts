import { isRecord } from "../../domain/json.ts"
import { anyText, checkOption, having, someText } from "../../domain/option-checks.ts"
import type { HeadlessFormat } from "../profile/agent-profile.ts"
import { readHeadlessOutput } from "../profile/headless-answer.ts"

type Printed = { readonly stdout: string }

const printed = having({ stdout: anyText })

const shownMax = 2_000

/**
 * The whole of stdout as one JSON object.
 *
 * **Fails** with an error that shows stdout, at most 2,000 characters of it
 * **Source** agent-harness.md, section 4.4
 *
 * @since 0.1.0
 * @category encoding
 */
export const parseJson = (result: Printed): Readonly<Record<string, unknown>> => {
  checkOption(printed, result, "the result")
  const { stdout } = result
  const value = parsed(stdout, "stdout is no JSON")
  if (isRecord(value)) return value
  throw new Error(`stdout is JSON, but no object: ${shown(stdout)}`)
}

/**
 * Every line of stdout that is not blank as a JSON value.
 *
 * **Fails** with an error that gives the number of the line and shows it
 * **Source** agent-harness.md, section 4.4
 *
 * @since 0.1.0
 * @category encoding
 */
export const parseNdjson = (result: Printed): ReadonlyArray<unknown> => {
  checkOption(printed, result, "the result")
  return result.stdout
    .split("\n")
    .flatMap((line, index) => (line.trim() === "" ? [] : [parsed(line, `line ${index + 1} of stdout is no JSON`)]))
}

/**
 * The event that ends a good run, by the format of a profile.
 *
 * **Fails** when there is none
 * **Source** agent-harness.md, sections 4.4 and 4.5
 *
 * @since 0.1.0
 * @category encoding
 */
export const terminalEvent = (result: Printed, format: HeadlessFormat): unknown => {
  checkOption(printed, result, "the result")
  checkOption(having({ value: someText }), format, "the format")
  const { stdout } = result
  const { terminal } = readHeadlessOutput(stdout, format)
  if (terminal !== undefined) return terminal
  const wanted = format.terminal === null ? "any" : JSON.stringify(format.terminal)
  throw new Error(`stdout has no terminal event (${wanted} in the format "${format.value}"): ${shown(stdout)}`)
}

const parsed = (text: string, otherwise: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${otherwise}: ${shown(text)}`, { cause: error })
  }
}

const shown = (text: string): string => (text.length <= shownMax ? text : `${text.slice(0, shownMax)}…`)
