import { type ChoiceLists, forkOf } from "../kernel/choice-forks.ts"
import type { Draw } from "../kernel/choice-sources.ts"

/** A choice that is not calm: the answer `value` at place `at` of its fork. */
export interface Place {
  readonly fork: string
  readonly at: number
  readonly value: number
}

/** All choices that are not calm, fork by fork. */
export const placesOf = (lists: ChoiceLists): ReadonlyArray<Place> =>
  Object.entries(lists).flatMap(([fork, list]) =>
    list.flatMap((value, at) => (value === 0 ? [] : [{ fork, at, value }]))
  )

/** All choices that are not calm, in the order in which a run drew them. */
export const drawnPlaces = (draws: ReadonlyArray<Draw>): ReadonlyArray<Place> => {
  const counts = new Map<string, number>()
  return draws.flatMap(({ label, answer }) => {
    const fork = forkOf(label)
    const at = counts.get(fork) ?? 0
    counts.set(fork, at + 1)
    return answer === 0 ? [] : [{ fork, at, value: answer }]
  })
}

/** The same choices but for some, which become calm. */
export const calmedAt = (lists: ChoiceLists, places: ReadonlyArray<Place>): ChoiceLists => {
  const calmed = new Map(Object.entries(lists).map(([fork, list]) => [fork, list.slice()]))
  for (const { fork, at } of places) {
    const list = calmed.get(fork)
    if (list !== undefined) list[at] = 0
  }
  return Object.fromEntries(calmed)
}

/** The same choices, with another value at one place. */
export const loweredAt = (lists: ChoiceLists, { fork, at }: Place, value: number): ChoiceLists => ({
  ...lists,
  [fork]: (lists[fork] ?? []).with(at, value)
})

/** The same choices, without `count` of those before a place: what follows in its fork comes earlier. */
export const earlierBy = (lists: ChoiceLists, { fork, at }: Place, count: number): ChoiceLists => ({
  ...lists,
  [fork]: (lists[fork] ?? []).toSpliced(at - count, count)
})

/** The same choices, with `count` calm ones put before a place: it comes later, and what follows in its fork. */
export const laterBy = (lists: ChoiceLists, { fork, at }: Place, count: number): ChoiceLists => ({
  ...lists,
  [fork]: (lists[fork] ?? []).toSpliced(at, 0, ...Array<number>(count).fill(0))
})

/** How many calm choices stand directly before a place. */
export const calmBefore = (lists: ChoiceLists, { fork, at }: Place): number => {
  const list = lists[fork] ?? []
  let count = 0
  while (count < at && list[at - count - 1] === 0) count++
  return count
}
