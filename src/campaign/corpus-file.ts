import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { isRecord } from "../domain/json.ts"
import { decodeToken } from "../explore/replay-token.ts"
import { whileLocked } from "../live/file-lock.ts"

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
  /** Why the file cannot be read, if it is there; such a file is left as it is. `null` when it can. */
  problem(): string | null
  /**
   * The token may take the place of one that was kept before.
   *
   * **Gives** why it cannot be kept; `null` when it is
   */
  keep(test: string, token: string, inPlaceOf?: string): string | null
}

/** The file of a test file: `__sim__/NAME.json` beside it. */
export const corpusPath = (testFile: string): string =>
  join(dirname(testFile), "__sim__", `${basename(testFile).replace(/\.[cm]?[jt]sx?$/, "")}.json`)

/** @since 0.1.0 @category constructors */
export const makeCorpus = (path: string): Corpus => ({
  tokens: (test) => orNothing(path).get(test) ?? [],
  problem: () => problemOf(() => read(path)),
  keep: (test, token, inPlaceOf) =>
    problemOf(() => {
      const change = (): string => {
        const all = read(path)
        const others = (all.get(test) ?? []).filter((known) => known !== token && known !== inPlaceOf)
        return textOf(new Map(all).set(test, [token, ...others].slice(0, tokensMax)))
      }
      // A file that is written anew makes a runner that watches files run its test again, for ever.
      if (isWritten(path, change())) return
      mkdirSync(dirname(path), { recursive: true })
      // Others may keep theirs at this moment: what is written is read when nobody else can write.
      whileLocked(path, () => write(path, change()))
    })
})

/** By the names of tests, which may be called as a method of objects is. */
type Kept = ReadonlyMap<string, ReadonlyArray<string>>

/** A file that somebody broke must not fail every test. */
const orNothing = (path: string): Kept => {
  try {
    return read(path)
  } catch {
    return new Map()
  }
}

const problemOf = (work: () => unknown): string | null => {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Throws for what is no corpus: to write over it would lose what other tests have kept. */
const read = (path: string): Kept => {
  if (!existsSync(path)) return new Map()
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"))
    if (!isRecord(value)) throw new Error("it is no object")
    return new Map(Object.entries(value).map(([test, tokens]) => [test, textsOf(test, tokens)]))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${path} cannot be read (${reason}), so it is left as it is: mend it, or remove it`)
  }
}

const textsOf = (test: string, tokens: unknown): ReadonlyArray<string> => {
  if (Array.isArray(tokens) && tokens.every((token) => typeof token === "string")) return tokens
  throw new Error(`what it has of ${JSON.stringify(test)} is no list of tokens`)
}

const textOf = (kept: Kept): string => `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`

const isWritten = (path: string, text: string): boolean => existsSync(path) && readFileSync(path, "utf8") === text

const write = (path: string, text: string): void => {
  // Whole or not at all: others read while this is written.
  const draft = `${path}.${process.pid}.draft`
  writeFileSync(draft, text)
  renameSync(draft, path)
}

/** Those of the tokens that can still be read, and hold choices; says so of the others. */
export const readableTokens = (
  tokens: ReadonlyArray<string>,
  { path, say }: { readonly path: string | false; readonly say: (text: string) => void }
): ReadonlyArray<string> => {
  const readable = tokens.filter((token) => {
    try {
      return decodeToken(token).lists !== null
    } catch {
      return false
    }
  })
  const others = tokens.length - readable.length
  if (others > 0)
    say(`${others} of ${tokens.length} kept failures hold no choices that can be read, and are not tried: ${path}`)
  return readable
}
