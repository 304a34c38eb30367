import type { SandboxPaths } from "../environment/environment-request.ts"
import type { TextMap } from "../profile/agent-profile.ts"
import { sanitisedUrl } from "./sanitised-url.ts"
import { isEndpointName, isSecretName } from "./secret-names.ts"

/** What stands where something may not be shown. */
export const redacted = "<redacted>"

/**
 * A sandbox in one line: its folders, then its variables in the order of their names. Of a secret nothing is shown, of an
 * address only where it is on this machine, without user, query and fragment.
 *
 * **Source** agent-harness.md, section 1.10
 *
 * @since 0.1.0
 * @category encoding
 */
export const sandboxSummary = (paths: SandboxPaths, variables: TextMap): string => {
  const { root, home, stateDir, workspace, temp } = paths
  const folders = `sandbox root=${root} home=${home} state=${stateDir} workspace=${workspace} temp=${temp}`
  const shown = Object.keys(variables)
    .sort()
    .map((name) => `${name}=${shownValue(name, variables[name] ?? "")}`)
  return [folders, ...shown].map(inOneLine).join(" ")
}

/** What of a variable may be shown. */
export const shownValue = (name: string, value: string): string => {
  if (isSecretName(name)) return redacted
  return isEndpointName(name) ? (sanitisedUrl(value) ?? redacted) : value
}

/** A line break in a value would begin a line that looks like one of ours. */
const inOneLine = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, escaped)

const escaped = (character: string): string =>
  character === "\n" ? "\\n" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
