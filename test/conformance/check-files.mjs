// @ts-check
import { readdirSync } from "node:fs"
import { join, relative } from "node:path"

/**
 * The files that hold checks, in the order of their names: those of SDKs always, those of agents, of faults and of test
 * runners when asked for.
 *
 * @param {string} folder
 * @param {{ readonly agents: boolean, readonly faults: boolean, readonly runners: boolean, readonly words: ReadonlyArray<string> }} options
 * @returns {Array<string>}
 */
export function checkFiles(folder, { agents, faults, runners, words }) {
  const asked = { agents, faults, runners }
  const names = ["sdks", ...Object.entries(asked).flatMap(([name, isAsked]) => (isAsked ? [name] : []))]
  return names
    .map((name) => join(folder, name))
    .flatMap((path) => readdirSync(path).map((name) => join(path, name)))
    .filter((path) => path.endsWith(".conformance.mjs"))
    .filter((path) => words.length === 0 || words.some((word) => relative(folder, path).includes(word)))
    .sort()
}
