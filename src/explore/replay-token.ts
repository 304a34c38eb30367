import { describe } from "../domain/json.ts"
import type { ChoiceLists } from "../kernel/choice-forks.ts"
import { trimmed } from "../kernel/choice-forks.ts"
import { derive } from "../kernel/derive-seed.ts"
import { isDrawCheck } from "./draw-check.ts"

/**
 * What a run can be had again from.
 *
 * @since 0.1.0
 * @category replaying
 */
export interface ReplayToken {
  /** The seed of all that is no choice. */
  readonly seed: number
  /** What was chosen; `null` when every draw followed from the seed, by forks. */
  readonly lists: ChoiceLists | null
  /** The hash that the run had; `null` when it is not known. */
  readonly hash: string | null
  /** Which simulated test the run is of, as `testMark` gives it; `null` for a run of no test. */
  readonly test: string | null
  /** What the run was asked, as `drawCheckOf` gives it; `null` when it is not known. */
  readonly check: string | null
}

/** What a token says of the run beside its choices; all of it may be left out. */
type Encoded = Pick<ReplayToken, "seed" | "lists"> & Partial<ReplayToken>

/** A short word that stands for the name of a test. */
export const testMark = (name: string): string => derive(version, `test:${name}`).toString(36)

/**
 * A text is no replay token.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidToken extends Error {
  readonly _tag = "InvalidToken"
  constructor(reason: string) {
    super(`no replay token: ${reason}. A token is one word that begins with ${prefix}, as a failed run prints it`)
    this.name = "InvalidToken"
  }
}

const family = "us"
const version = 1
const prefix = `${family}${version}.`
const lengthMax = 1_000_000
const choicesMax = 1_000_000

/** How a token says that the draws followed from the seed. */
const seeded = "seeded"

/**
 * One word that a shell takes as it is: `us1.SEED.HASH,TEST,DRAWS.FORK=2,z12,1.CHECK`, where `z12` is twelve calm choices.
 *
 * @since 0.1.0
 * @category replaying
 */
export const encodeToken = ({ seed, lists, hash = null, test = null, check = null }: Encoded): string => {
  const forks =
    lists === null
      ? [seeded]
      : Object.entries(trimmed(lists))
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([fork, list]) => `${encodeFork(fork)}=${encodeList(list)}`)
  const about = [hash, test, check].map((part) => part ?? "-").join(",")
  const body = [seed.toString(36), about.replace(/(?:,-)+$/, ""), ...forks].join(".")
  return `${prefix}${body}.${checkOf(body)}`
}

/** Everything but letters, digits, `-`, `_` and `/` is written as `%` and four hex digits for each UTF-16 unit. */
const encodeFork = (fork: string): string =>
  fork.replace(/[^A-Za-z0-9_/-]/g, (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`)

const encodeList = (list: ReadonlyArray<number>): string =>
  list.join(",").replace(/(?<![^,])0(?:,0)+(?![^,])/g, (zeros) => `z${(zeros.length + 1) / 2}`)

const checkOf = (body: string): string => derive(version, body).toString(36)

/**
 * **Fails** with `InvalidToken`, which says what is wrong with the text
 *
 * @since 0.1.0
 * @category replaying
 */
export const decodeToken = (text: string): ReplayToken => {
  if (typeof text !== "string") throw new InvalidToken(`it is ${describe(text)}`)
  const token = text.trim()
  if (token.length > lengthMax) throw new InvalidToken(`it has ${token.length} characters, more than ${lengthMax}`)
  const body = bodyOf(token)
  const [seedText = "", about = "", ...forks] = body.split(".")
  const seed = Number.parseInt(seedText, 36)
  if (!/^[0-9a-z]{1,7}$/.test(seedText) || seed >= 2 ** 32) throw new InvalidToken(`its seed is ${clipped(seedText)}`)
  const [hash = "", test = "-", check = "-", ...more] = about.split(",")
  if (!/^(?:-|[0-9a-f]{1,64})$/.test(hash)) throw new InvalidToken(`its hash is ${clipped(hash)}`)
  if (!/^(?:-|[0-9a-z]{1,7})$/.test(test)) throw new InvalidToken(`its test is ${clipped(test)}`)
  if (more.length > 0 || !(check === "-" || isDrawCheck(check)))
    throw new InvalidToken(`what it says of its draws is ${clipped(check)}`)
  const lists = forks.length === 1 && forks[0] === seeded ? null : readForks(forks)
  return { seed, lists, hash: given(hash), test: given(test), check: given(check) }
}

const given = (part: string): string | null => (part === "-" ? null : part)

const bodyOf = (token: string): string => {
  if (token === "") throw new InvalidToken("it is empty")
  const found = /^us(\d+)\./.exec(token)
  if (found === null) throw new InvalidToken(`it begins with ${clipped(token)}`)
  if (found[1] !== String(version)) throw new InvalidToken(`it has version ${found[1]}, and this is version ${version}`)
  const end = token.lastIndexOf(".")
  const body = token.slice(prefix.length, Math.max(prefix.length, end))
  if (checkOf(body) !== token.slice(end + 1))
    throw new InvalidToken("its check does not fit, so a part of it is missing or changed")
  return body
}

const readForks = (forks: ReadonlyArray<string>): ChoiceLists => {
  const lists = new Map<string, ReadonlyArray<number>>()
  let left = choicesMax
  for (const text of forks) {
    const [name = "", choices, ...more] = text.split("=")
    if (choices === undefined || more.length > 0) throw new InvalidToken(`a fork reads ${clipped(text)}`)
    const fork = readFork(name)
    if (lists.has(fork)) throw new InvalidToken(`the fork ${clipped(fork)} comes twice`)
    const list = readList(choices, left)
    left -= list.length
    lists.set(fork, list)
  }
  return Object.fromEntries(lists)
}

const readFork = (name: string): string => {
  if (!/^(?:[A-Za-z0-9_/-]|%[0-9A-F]{4})*$/.test(name)) throw new InvalidToken(`a fork is named ${clipped(name)}`)
  return name.replace(/%(.{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
}

const readList = (text: string, lengthLeft: number): ReadonlyArray<number> => {
  const list: Array<number> = []
  for (const part of text.split(",")) {
    const [, zeros, choice] = /^(?:z(\d{1,7})|(\d{1,10}))$/.exec(part) ?? []
    const count = zeros === undefined ? 1 : Number(zeros)
    if (zeros === undefined && choice === undefined) throw new InvalidToken(`a choice reads ${clipped(part)}`)
    if (list.length + count > lengthLeft) throw new InvalidToken(`it holds more than ${choicesMax} choices`)
    for (let index = 0; index < count; index++) list.push(Number(choice ?? 0))
  }
  return list
}

const clipped = (text: string): string => JSON.stringify(text.length > 20 ? `${text.slice(0, 20)}...` : text)
