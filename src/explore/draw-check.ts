import { forkOf } from "../kernel/choice-forks.ts"
import type { Draw } from "../kernel/choice-sources.ts"
import { derive } from "../kernel/derive-seed.ts"
import { type Place, placesOf } from "./non-calm.ts"
import type { ReplayToken } from "./replay-token.ts"

/** A check holds so many letters; of a longer row of draws each stands for several. */
const lettersMax = 64

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

/**
 * What a run was asked until its last choice that is not calm, in one word for its token: of every draw its label and how many
 * answers it had. What comes after that choice does not count: a program that was mended goes on in another way.
 *
 * **Source** simulation.md, section 5.6
 *
 * @since 0.1.0
 * @category replaying
 */
export const drawCheckOf = (draws: ReadonlyArray<Draw>): string => {
  // Of a calm run the first draw alone tells whether it is the same program.
  const count = Math.min(draws.length, Math.max(1, draws.findLastIndex(({ answer }) => answer !== 0) + 1))
  return `${count.toString(36)}-${lettersOf(draws, count)}`
}

/** Whether a text can be such a word. */
export const isDrawCheck = (text: string): boolean => {
  const [, count = "", word = ""] = /^([0-9a-z]{1,6})-([A-Za-z0-9_-]*)$/.exec(text) ?? []
  return count !== "" && word.length === Math.min(Number.parseInt(count, 36), lettersMax)
}

/** After which draws there is a letter. */
const letterEnds = (count: number): ReadonlyArray<number> => {
  const many = Math.min(count, lettersMax)
  return Array.from({ length: many }, (_, at) => Math.ceil(((at + 1) * count) / many))
}

/** Each letter stands for all draws before it: after one that differs, nearly all differ. */
const lettersOf = (draws: ReadonlyArray<Draw>, count: number): string => {
  const ends = new Set(letterEnds(count))
  let sum = 0
  let word = ""
  for (const [at, { label, n }] of draws.slice(0, count).entries()) {
    sum = derive(sum, `${label} ${n}`)
    if (ends.has(at + 1)) word += letters[sum % letters.length] ?? ""
  }
  return word
}

/** Where a run left the run of its token. */
export interface ReplayDifference {
  /** The first draw that differs, from 0, or the last that may be it; `null` when no draw is known to differ. */
  readonly draw: { readonly from: number; readonly to: number; readonly met: Draw | null } | null
  /** Choices of the token that are not calm and were not asked for. */
  readonly unasked: ReadonlyArray<Place>
}

/** Where a run with these draws left the run of a token; `null` when it asked what that one was asked. */
export const replayDifference = (
  { lists, check }: Pick<ReplayToken, "lists" | "check">,
  draws: ReadonlyArray<Draw>
): ReplayDifference | null => {
  const draw = check === null ? null : firstDifference(check, draws)
  const unasked = lists === null ? [] : unaskedPlaces(placesOf(lists), draws)
  return draw === null && unasked.length === 0 ? null : { draw, unasked }
}

const firstDifference = (check: string, draws: ReadonlyArray<Draw>): ReplayDifference["draw"] => {
  const dash = check.indexOf("-")
  const count = Number.parseInt(check.slice(0, dash), 36)
  const then = check.slice(dash + 1)
  const ends = letterEnds(count)
  const now = lettersOf(draws.length < count ? draws.concat(missing(count - draws.length)) : draws, count)
  const at = ends.findIndex((_, index) => then[index] !== now[index])
  const found = at === -1 ? null : { from: ends[at - 1] ?? 0, to: (ends[at] ?? count) - 1 }
  if (draws.length < count && (found === null || found.to >= draws.length)) {
    return { from: Math.min(found?.from ?? draws.length, draws.length), to: draws.length, met: null }
  }
  return found === null ? null : { ...found, met: draws[found.from] ?? null }
}

const missing = (count: number): ReadonlyArray<Draw> =>
  Array.from({ length: Math.min(count, 1_000_000) }, () => ({ label: "", n: 0, answer: 0 }))

/** An answer that is not possible was not asked for either. */
const unaskedPlaces = (places: ReadonlyArray<Place>, draws: ReadonlyArray<Draw>): ReadonlyArray<Place> => {
  const widths = new Map<string, Array<number>>()
  for (const { label, n } of draws) {
    const fork = forkOf(label)
    const list = widths.get(fork) ?? []
    list.push(n)
    widths.set(fork, list)
  }
  return places.filter(({ fork, at, value }) => value >= (widths.get(fork)?.[at] ?? 0))
}

/** So many choices that were not asked for are named. */
const namedMax = 3

/** What differs, in words. */
export const differenceText = ({ draw, unasked }: ReplayDifference): string => {
  const drawn = draw === null ? [] : [drawText(draw)]
  const named = unasked.slice(0, namedMax).map(({ fork, at, value }) => `${fork} takes ${value} at ${at}`)
  const more = unasked.length > namedMax ? [`${unasked.length - namedMax} more`] : []
  const never = named.length === 0 ? [] : [`nothing asked for ${[...named, ...more].join("; ")}`]
  return [...drawn, ...never].join("; ")
}

const drawText = ({ from, to, met }: NonNullable<ReplayDifference["draw"]>): string => {
  if (met === null) return `it ended at draw ${to}, and the run of the token went on`
  const where = from === to ? `the first draw that differs is ${from}` : `a draw from ${from} to ${to} differs`
  return `${where}: ${from === to ? "" : "the first of them "}asked ${met.label} of ${met.n}`
}
