import type { Draw } from "./choice-sources.ts"

/** Answers of each fork, in the order in which it asks; a fork that is not named is calm. */
export type ChoiceLists = Readonly<Record<string, ReadonlyArray<number>>>

/**
 * The fork of a label: what stands before its last `/`, or all of it. Forks do not shift each other's draws, so that what is
 * left out of one leaves the others as they were.
 *
 * @since 0.1.0
 * @category kernel
 */
export const forkOf = (label: string): string => {
  const end = label.lastIndexOf("/")
  return end === -1 ? label : label.slice(0, end)
}

/** For each label the thing of its fork, which is made when the fork first asks. */
export const byFork = <T>(make: (fork: string) => T): ((label: string) => T) => {
  const labels = new Map<string, T>()
  const forks = new Map<string, T>()
  return (label) => {
    const known = labels.get(label)
    if (known !== undefined) return known
    const fork = forkOf(label)
    const thing = forks.get(fork) ?? make(fork)
    forks.set(fork, thing)
    labels.set(label, thing)
    return thing
  }
}

/** The draws of a run by fork, without the calm ones at the end of each. */
export const listsOf = (draws: ReadonlyArray<Draw>): ChoiceLists => {
  const lists = new Map<string, Array<number>>()
  for (const { label, answer } of draws) {
    const fork = forkOf(label)
    const list = lists.get(fork)
    if (list === undefined) lists.set(fork, [answer])
    else list.push(answer)
  }
  return trimmed(Object.fromEntries(lists))
}

/** The same choices without calm ones at the ends and without forks that are all calm. */
export const trimmed = (lists: ChoiceLists): ChoiceLists =>
  Object.fromEntries(
    Object.entries(lists)
      .map(([fork, list]) => [fork, list.slice(0, list.findLastIndex((answer) => answer !== 0) + 1)] as const)
      .filter(([, list]) => list.length > 0)
  )

/** How many choices are not calm: how far a run is from the one that everybody expects. */
export const nonCalmCount = (lists: ChoiceLists): number =>
  Object.values(lists).reduce((sum, list) => sum + list.filter((answer) => answer !== 0).length, 0)
