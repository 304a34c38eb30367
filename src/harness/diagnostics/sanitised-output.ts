import type { TextMap } from "../profile/agent-profile.ts"
import { redacted } from "./sandbox-summary.ts"
import { isEndpointName, isSecretName } from "./secret-names.ts"

/** Paths of a sandbox are not secret, but they are noise that differs from run to run. */
const hiddenNames = ["HOME", "USERPROFILE", "GROK_HOME", "TMPDIR", "TMP", "TEMP", "GIT_CONFIG_GLOBAL"]

/** Shorter values would redact half of every text. */
const hiddenBytesMin = 4

const sensitiveWords = [
  "authorization",
  "api_key",
  "apikey",
  "password",
  "passwd",
  "secret",
  "bearer ",
  "token=",
  "token:",
  'token"',
  "cookie",
  "credential"
]

/** A way to mark what was taken out; the plainer ones are for values that the mark itself would show. */
interface Marks {
  readonly value: string
  readonly line: string
}

const marks: ReadonlyArray<Marks> = [
  { value: redacted, line: "<redacted sensitive output line>" },
  { value: "***", line: "***" },
  { value: "", line: "" }
]

/**
 * The values that no shown output may hold, the longest first: those of secret and endpoint variables, and of the paths
 * that a sandbox sets, also as JSON and URLs write them.
 *
 * **Source** agent-harness.md, section 1.10
 *
 * @since 0.1.0
 * @category models
 */
export const hiddenValues = (variables: TextMap): ReadonlyArray<string> => {
  const values = Object.entries(variables)
    .filter(([name]) => isSecretName(name) || isEndpointName(name) || hiddenNames.includes(name))
    .flatMap(([, value]) => [value, JSON.stringify(value).slice(1, -1), percentEncoded(value)])
    .filter((value) => utf8.encode(value).length >= hiddenBytesMin)
  return [...new Set(values)].sort((left, right) => right.length - left.length || (left < right ? -1 : 1))
}

const utf8 = new TextEncoder()

/** A lone surrogate has no such form. */
const percentEncoded = (value: string): string => {
  try {
    return encodeURIComponent(value)
  } catch {
    return value
  }
}

/**
 * Output of a process as it may be shown: hidden values are replaced, then whole lines that speak of secrets.
 *
 * **Takes** what `hiddenValues` gave; `truncated` when the beginning of the text was dropped, where half of a value may
 * be left over
 * **Gives** a text that holds none of the values; an empty one where no mark could be set without showing one
 * **Source** agent-harness.md, section 1.10
 *
 * @since 0.1.0
 * @category encoding
 */
export const sanitisedOutput = (
  text: string,
  hidden: ReadonlyArray<string>,
  { truncated = false }: { readonly truncated?: boolean } = {}
): string => {
  for (const mark of marks) {
    const whole = truncated ? withoutLeftover(text, hidden, mark) : text
    const shown = withoutSensitiveLines(withoutValues(whole, hidden, mark), mark)
    if (!hidden.some((value) => shown.includes(value))) return shown
  }
  return ""
}

/**
 * The same from the variables that a process was started with.
 *
 * @since 0.1.0
 * @category encoding
 */
export const redactedOutput = (text: string, variables: TextMap, options?: { readonly truncated?: boolean }): string =>
  sanitisedOutput(text, hiddenValues(variables), options)

const withoutValues = (text: string, hidden: ReadonlyArray<string>, { value: mark }: Marks): string =>
  hidden.reduce((rest, value) => rest.replaceAll(value, mark), text)

const withoutSensitiveLines = (text: string, { line: mark }: Marks): string =>
  text
    .split("\n")
    .map((line) => (isSensitive(line) ? mark : line))
    .join("\n")

const isSensitive = (line: string): boolean => {
  const lower = line.toLowerCase()
  return sensitiveWords.some((word) => lower.includes(word))
}

/** The longest end of a value that the text begins with is replaced, if it could tell something. */
const withoutLeftover = (text: string, hidden: ReadonlyArray<string>, { value: mark }: Marks): string => {
  const lengths = hidden.map((value) => leftoverLength(text, value))
  const longest = Math.max(0, ...lengths)
  return longest < hiddenBytesMin ? text : `${mark}${text.slice(longest)}`
}

const leftoverLength = (text: string, value: string): number => {
  for (let length = value.length - 1; length >= hiddenBytesMin; length--) {
    if (text.startsWith(value.slice(-length))) return length
  }
  return 0
}
