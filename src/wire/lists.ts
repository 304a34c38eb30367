/**
 * All lists in one. On the hot path of a stream; `flat` and `flatMap` cost several times as much.
 *
 * @since 0.1.0
 * @category constructors
 */
export const joined = <T>(lists: ReadonlyArray<ReadonlyArray<T>>): ReadonlyArray<T> => {
  const all: Array<T> = []
  for (const list of lists) for (const element of list) all.push(element)
  return all
}

/**
 * First elements of all lists, then the second ones, and so on.
 *
 * @since 0.1.0
 * @category constructors
 */
export const interleave = <T>(lists: ReadonlyArray<ReadonlyArray<T>>): ReadonlyArray<T> => {
  const rounds = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: rounds }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1))).flat()
}
