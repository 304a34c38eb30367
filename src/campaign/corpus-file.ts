import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { isRecord } from "../domain/json.ts"
import { decodeToken } from "../explore/replay-token.ts"

/** So many failures are kept for a test, the newest first. */
const tokensMax = 16

/**
 * Failing choices beside a test: tried first the next time, and meant to be committed.
 *
 * @since 0.1.0
 * @category services
 */
export interface Corpus {
  tokens(test: string): ReadonlyArray<string>
  /** The token may take the place of one that was kept before. */
  keep(test: string, token: string, inPlaceOf?: string): void
}

/** The file of a test file: `__sim__/NAME.json` beside it. */
export const corpusPath = (testFile: string): string =>
  join(dirname(testFile), "__sim__", `${basename(testFile).replace(/\.[cm]?[jt]sx?$/, "")}.json`)

/** @since 0.1.0 @category constructors */
export const makeCorpus = (path: string): Corpus => ({
  tokens: (test) => read(path)[test] ?? [],
  keep(test, token, inPlaceOf) {
    const all = read(path)
    const tokens = [token, ...(all[test] ?? []).filter((known) => known !== token && known !== inPlaceOf)].slice(
      0,
      tokensMax
    )
    const text = `${JSON.stringify({ ...all, [test]: tokens }, null, 2)}\n`
    // A file that is written anew makes a runner that watches files run its test again, for ever.
    if (existsSync(path) && readFileSync(path, "utf8") === text) return
    mkdirSync(dirname(path), { recursive: true })
    // Whole or not at all: two workers may write at once.
    const draft = `${path}.${process.pid}.draft`
    writeFileSync(draft, text)
    renameSync(draft, path)
  }
})

/** What is no corpus counts as an empty one: a file that somebody broke must not fail every test. */
const read = (path: string): Readonly<Record<string, ReadonlyArray<string>>> => {
  if (!existsSync(path)) return {}
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"))
    if (!isRecord(value)) return {}
    return Object.fromEntries(
      Object.entries(value).flatMap(([test, tokens]) =>
        Array.isArray(tokens) ? [[test, tokens.filter((token) => typeof token === "string")]] : []
      )
    )
  } catch {
    return {}
  }
}

/** Those of the tokens that can still be read, and hold choices. */
export const readableTokens = (tokens: ReadonlyArray<string>): ReadonlyArray<string> =>
  tokens.filter((token) => {
    try {
      return decodeToken(token).lists !== null
    } catch {
      return false
    }
  })
