import { forkListedChoice } from "../kernel/choice-forked.ts"
import { type ChoiceLists, forkOf, listsOf, nonCalmCount, trimmed } from "../kernel/choice-forks.ts"
import type { Draw } from "../kernel/choice-sources.ts"
import { type Attempts, drive } from "./drive.ts"
import { calmBefore, calmedAt, drawnPlaces, earlierBy, laterBy, loweredAt, type Place, placesOf } from "./non-calm.ts"
import type { Outcome } from "./outcome.ts"
import { type Program, plainContext } from "./program.ts"
import { watchChoice } from "./watched-choice.ts"

/** What is shrunk, and how long. */
export interface ShrinkOptions<R extends Outcome | PromiseLike<Outcome>> {
  readonly run: Program<R>
  /** The seed of all that is no choice. */
  readonly seed: number
  /** Choices that fail. */
  readonly lists: ChoiceLists
  /** The failure that must stay. */
  readonly signature: string
  /** Runs that may be made. Default 400. */
  readonly replaysMax?: number
  /** Asked before every run; ends the shrinking when true. */
  readonly isOver?: () => boolean
}

/** The smallest failing choices that were found. */
export interface Shrunk {
  readonly lists: ChoiceLists
  readonly draws: ReadonlyArray<Draw>
  readonly message: string
  readonly hash: string | null
  readonly nonCalm: number
  readonly replays: number
  /** Whether nothing that is tried makes it smaller; false when the bound of runs or time ended it. */
  readonly isMinimal: boolean
}

const replaysMaxDefault = 400

/** With more places than this, or more answers at one, exchanging and shifting take too many runs. */
const exchangedMax = 8
const answersMax = 16

/** A choice that was in vain took so many other draws with it, or kept them away. */
const shiftsEarlier = 8
const shiftsLater = 4

/**
 * Makes failing choices small: as few that are not calm as possible, low, and early.
 *
 * **Gives** `null` when the choices do not fail with that signature; a promise when the program gives promises
 *
 * @since 0.1.0
 * @category shrinking
 */
export function shrinkChoices(options: ShrinkOptions<Outcome>): Shrunk | null
export function shrinkChoices(options: ShrinkOptions<PromiseLike<Outcome>>): Promise<Shrunk | null>
export function shrinkChoices(
  options: ShrinkOptions<Outcome | PromiseLike<Outcome>>
): Shrunk | null | Promise<Shrunk | null> {
  return drive(shrinking(options))
}

interface Found {
  readonly lists: ChoiceLists
  readonly draws: ReadonlyArray<Draw>
  readonly message: string
  readonly hash: string | null
}

/** Holds the best choices so far. */
interface Shrinker {
  readonly best: () => ChoiceLists
  /** What the best run drew. */
  readonly draws: () => ReadonlyArray<Draw>
  /** Whether a candidate still fails; it is the best from then on. */
  readonly fails: (candidate: ChoiceLists) => Attempts<boolean>
}

export function* shrinking(options: ShrinkOptions<Outcome | PromiseLike<Outcome>>): Attempts<Shrunk | null> {
  const { run, seed, signature, replaysMax = replaysMaxDefault, isOver = () => false } = options
  const tried = new Set<string>()
  let found: Found | null = null
  let replays = 0
  let wasStopped = false

  function* fails(candidate: ChoiceLists): Attempts<boolean> {
    const key = keyOf(candidate)
    if (tried.has(key)) return false
    // The first run only shows that there is something to shrink.
    if (replays > 0 && (replays >= replaysMax || isOver())) {
      wasStopped = true
      return false
    }
    tried.add(key)
    replays++
    const watched = watchChoice(forkListedChoice(candidate))
    const outcome = yield () => run(watched.choice, plainContext(seed))
    if (outcome.type !== "failed" || outcome.signature !== signature) return false
    // What the run did not ask for is left out.
    const lists = listsOf(watched.draws)
    tried.add(keyOf(lists))
    found = { lists, draws: watched.draws, message: outcome.message, hash: outcome.hash ?? null }
    return true
  }

  if (!(yield* fails(options.lists)) || found === null) return null
  const first: Found = found
  const best = (): ChoiceLists => (found ?? first).lists
  const draws = (): ReadonlyArray<Draw> => (found ?? first).draws
  const shrinker: Shrinker = { best, draws, fails }
  for (let size = Number.POSITIVE_INFINITY; sizeOf(best()) < size && !wasStopped; ) {
    size = sizeOf(best())
    yield* calmForks(shrinker)
    yield* calmPlaces(shrinker)
    yield* lowerPlaces(shrinker)
    yield* bringForward(shrinker)
    yield* exchange(shrinker)
    yield* shift(shrinker)
  }
  const last: Found = found
  return { ...last, nonCalm: nonCalmCount(last.lists), replays, isMinimal: !wasStopped }
}

/** Calms all, then halves of the forks, then smaller parts. */
function* calmForks({ best, fails }: Shrinker): Attempts<void> {
  if (yield* fails({})) return
  const forksOf = (): ReadonlyArray<string> => Object.keys(best())
  for (let width = Math.ceil(forksOf().length / 2); width >= 1; width = half(width)) {
    for (let start = 0; start < forksOf().length; ) {
      const forks = forksOf()
      const gone = new Set(forks.slice(start, start + width))
      if (!(yield* fails(withoutForks(best(), gone)))) start += width
    }
  }
}

/**
 * Calms halves of the places that are not calm, then smaller parts, down to single ones. In the order in which they were drawn:
 * what balances each other stands side by side.
 */
function* calmPlaces({ best, draws, fails }: Shrinker): Attempts<void> {
  for (let width = Math.ceil(placesOf(best()).length / 2); width >= 1; width = half(width)) {
    for (let start = 0; start < placesOf(best()).length; ) {
      const places = drawnPlaces(draws()).slice(start, start + width)
      if (!(yield* fails(calmedAt(best(), places)))) start += width
    }
  }
}

/** Finds for every place the lowest value, taking it that higher ones fail too. */
function* lowerPlaces({ best, fails }: Shrinker): Attempts<void> {
  for (let index = 0; ; index++) {
    const place = placesOf(best())[index]
    if (place === undefined) return
    let passing = 0
    for (let value = 1; ; ) {
      const now = placesOf(best())[index]
      if (now === undefined || !isSamePlace(now, place) || now.value - passing <= 1) break
      if (!(yield* fails(loweredAt(best(), now, value)))) passing = value
      const failing = placesOf(best())[index]?.value ?? 0
      value = passing + half(failing - passing)
    }
  }
}

/** Leaves out calm choices before the others: all of a row, or half of it. */
function* bringForward({ best, fails }: Shrinker): Attempts<void> {
  for (let index = 0; index < placesOf(best()).length; index++) {
    const place = placesOf(best())[index]
    if (place === undefined) return
    const count = calmBefore(best(), place)
    if (count === 0 || (yield* fails(earlierBy(best(), place, count)))) continue
    if (count > 1) yield* fails(earlierBy(best(), place, half(count)))
  }
}

/** Where few places are left, calms one while another takes any other value. */
function* exchange({ best, draws, fails }: Shrinker): Attempts<void> {
  const places = placesOf(best())
  if (places.length > exchangedMax) return
  const widths = widthsOf(draws())
  for (const kept of places) {
    const width = Math.min(widths.get(kept.fork)?.[kept.at] ?? 0, answersMax)
    for (const gone of places) {
      if (gone === kept) continue
      const without = calmedAt(best(), [gone])
      for (let value = 1; value < width; value++) if (yield* fails(loweredAt(without, kept, value))) return
    }
  }
}

/** Where few places are left, calms one while another, with all behind it in its fork, comes somewhat earlier or later. */
function* shift({ best, fails }: Shrinker): Attempts<void> {
  const places = placesOf(best())
  if (places.length > exchangedMax) return
  for (const gone of places) {
    for (const kept of places) {
      if (gone === kept) continue
      const without = calmedAt(best(), [gone])
      const earlier = Math.min(calmBefore(without, kept), shiftsEarlier)
      for (let count = 1; count <= earlier; count++) if (yield* fails(earlierBy(without, kept, count))) return
      for (let count = 1; count <= shiftsLater; count++) if (yield* fails(laterBy(without, kept, count))) return
    }
  }
}

/** How many answers were possible at each place. */
const widthsOf = (draws: ReadonlyArray<Draw>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const widths = new Map<string, Array<number>>()
  for (const { label, n } of draws) {
    const fork = forkOf(label)
    const list = widths.get(fork) ?? []
    list.push(n)
    widths.set(fork, list)
  }
  return widths
}

const half = (count: number): number => Math.floor(count / 2)

const isSamePlace = (one: Place, other: Place): boolean => one.fork === other.fork && one.at === other.at

const withoutForks = (lists: ChoiceLists, gone: ReadonlySet<string>): ChoiceLists =>
  Object.fromEntries(Object.entries(lists).filter(([fork]) => !gone.has(fork)))

/** Fewer choices that are not calm count most, then lower ones, then shorter lists. */
const sizeOf = (lists: ChoiceLists): number => {
  const values = Object.values(lists)
  const sum = values.reduce((total, list) => total + list.reduce((one, value) => one + value, 0), 0)
  const length = values.reduce((total, list) => total + list.length, 0)
  return nonCalmCount(lists) * 2 ** 40 + Math.min(sum, 2 ** 20 - 1) * 2 ** 20 + Math.min(length, 2 ** 20 - 1)
}

const keyOf = (lists: ChoiceLists): string =>
  JSON.stringify(Object.entries(trimmed(lists)).sort(([one], [other]) => (one < other ? -1 : 1)))
