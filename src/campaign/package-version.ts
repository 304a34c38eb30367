import { readFileSync } from "node:fs"
import { member } from "../domain/json.ts"

/** This file stands at most so many folders below the package. */
const levelsMax = 4

/**
 * The version of this package, from its package.json: of the sources and of the bundle alike.
 *
 * **Gives** `unknown` when there is none, as in a bundle that was copied elsewhere
 *
 * @since 0.1.0
 * @category models
 */
export const packageVersion = (): string => {
  for (let level = 1; level <= levelsMax; level++) {
    const manifest = readJson(new URL(`${"../".repeat(level)}package.json`, import.meta.url))
    const version = member(manifest, "version")
    if (member(manifest, "name") === "llm-understudy" && typeof version === "string") return version
  }
  return "unknown"
}

const readJson = (url: URL): unknown => {
  try {
    return JSON.parse(readFileSync(url, "utf8"))
  } catch {
    return undefined
  }
}
