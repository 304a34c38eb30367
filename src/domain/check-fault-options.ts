import { delayMsMax } from "./durations.ts"
import { InvalidOption } from "./errors.ts"
import { type FaultOptions, type FaultSettings, faultDefaults } from "./fault-options.ts"
import { describe, isRecord } from "./json.ts"
import { isPlainText } from "./request.ts"
import { suggestion } from "./spelling.ts"

/** What one option must be; `problem` ends the sentence that begins with its name. */
type OptionCheck = (value: unknown) => string | null

/** A whole number in a range, bounds included. */
export const integerBetween =
  (least: number, most: number): OptionCheck =>
  (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most
      ? null
      : `must be an integer between ${least} and ${most}, and is ${describe(value)}`

/** A text that is not empty. */
export const filledText: OptionCheck = (value) => {
  if (value === "") return "must not be empty"
  return typeof value === "string" ? null : `must be a text that is not empty, and is ${describe(value)}`
}

const headerText: OptionCheck = (value) =>
  filledText(value) ??
  (typeof value === "string" && isPlainText(value) ? null : "must be visible ASCII, or no header could carry it")

const jsonTextValue: OptionCheck = (value) => {
  if (typeof value !== "string") return `must be valid JSON as a text, and is ${describe(value)}`
  try {
    JSON.parse(value)
    return null
  } catch {
    return `must be valid JSON, and is ${describe(value)}`
  }
}

const resetMode: OptionCheck = (value) =>
  value === "fin" || value === "rst" ? null : `must be "fin" or "rst", and is ${describe(value)}`

/**
 * What each option of a fault must be, in the order in which they are checked. The numbers come first.
 *
 * **Source** fault-server.md, sections 4.2 and 4.3
 */
export const faultNumberChecks: ReadonlyArray<readonly [keyof FaultOptions, OptionCheck]> = [
  ["chunkSize", integerBetween(1, Number.MAX_SAFE_INTEGER)],
  ["chunkDelayMs", integerBetween(0, delayMsMax)],
  ["disconnectDelayMs", integerBetween(0, delayMsMax)],
  ["retryAfterMs", integerBetween(1, delayMsMax)],
  ["headDelayMs", integerBetween(0, delayMsMax)],
  ["heartbeatMs", integerBetween(1, delayMsMax)],
  ["contextWindow", integerBetween(1, Number.MAX_SAFE_INTEGER - 1)],
  ["cutAfterEvents", integerBetween(0, Number.MAX_SAFE_INTEGER)],
  ["cutAfterBytes", integerBetween(0, Number.MAX_SAFE_INTEGER)]
]

export const faultTextChecks: ReadonlyArray<readonly [keyof FaultOptions, OptionCheck]> = [
  ["successText", filledText],
  ["partialText", filledText],
  ["reasoningText", filledText],
  ["toolName", filledText],
  ["requestId", headerText],
  ["toolArguments", jsonTextValue],
  ["resetMode", resetMode]
]

const checks = new Map([...faultNumberChecks, ...faultTextChecks])

/** The options of a fault by name. */
export const faultOptionNames: ReadonlyArray<string> = [...checks.keys()]

/**
 * Checks some options, in the order of the list.
 *
 * **Fails** with `InvalidOption`; `where` is put before the name
 *
 * @since 0.1.0
 * @category guards
 */
export const checkListed = (
  options: Readonly<Record<string, unknown>>,
  list: ReadonlyArray<readonly [string, OptionCheck]>,
  where = ""
): void => {
  for (const [name, check] of list) {
    const value = options[name]
    const problem = value === undefined ? null : check(value)
    if (problem !== null) throw new InvalidOption(`${where}${name} ${problem}`)
  }
}

/** The options of one fault, as an entry or an expectation gives them: every member known and in range. */
export const checkEntryOptions = (options: unknown, where: string): void => {
  if (!isRecord(options)) {
    throw new InvalidOption(
      `${where}: the options are ${describe(options)}; use an object, for example { resetMode: "rst" }`
    )
  }
  for (const name of Object.keys(options)) {
    if (!faultOptionNames.includes(name)) {
      const known = suggestion(name, faultOptionNames) || `; known are ${faultOptionNames.join(", ")}`
      throw new InvalidOption(`${where}: there is no option ${describe(name)}${known}`)
    }
  }
  checkListed(options, [...checks], `${where}: `)
}

/**
 * The options with their defaults.
 *
 * @since 0.1.0
 * @category faults
 */
export const settingsOf = (options: FaultOptions): FaultSettings => {
  const given = Object.fromEntries(
    Object.entries(options).filter(([name, value]) => value !== undefined && checks.has(name as keyof FaultOptions))
  )
  return { ...faultDefaults, ...given }
}
