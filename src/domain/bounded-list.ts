import { makeFifo } from "./fifo.ts"

/**
 * The newest items of a list that may grow for ever.
 *
 * @since 0.1.0
 * @category models
 */
export interface BoundedList<A> {
  /** `bytes` is what the item counts for; by default nothing. */
  push(item: A, bytes?: number): void
  /** Those that are kept, oldest first; a copy. */
  items(): ReadonlyArray<A>
  /** The newest that are kept, back to the first that `isNew` is false for, oldest first; a copy. */
  newest(isNew: (item: A) => boolean): ReadonlyArray<A>
  /** How many there were, also those that are no longer kept. */
  total(): number
  /** Whether any was dropped. */
  isTruncated(): boolean
}

/**
 * **Takes** `entriesMax`, and `bytesMax` where items have a size: the newest item is kept, however large it is
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeBoundedList = <A>(limits: {
  readonly entriesMax: number
  readonly bytesMax?: number
}): BoundedList<A> => {
  const { entriesMax, bytesMax = Number.POSITIVE_INFINITY } = limits
  const kept = makeFifo<{ readonly item: A; readonly bytes: number }>()
  let bytesKept = 0
  let total = 0
  return {
    push(item, bytes = 0) {
      total++
      bytesKept += bytes
      kept.push({ item, bytes })
      while (kept.size() > entriesMax || (bytesKept > bytesMax && kept.size() > 1))
        bytesKept -= kept.shift()?.bytes ?? 0
    },
    items: () => kept.toArray().map(({ item }) => item),
    newest(isNew) {
      const found: Array<A> = []
      for (let at = kept.size() - 1; at >= 0; at--) {
        const entry = kept.at(at)
        if (entry === undefined || !isNew(entry.item)) break
        found.push(entry.item)
      }
      return found.reverse()
    },
    total: () => total,
    isTruncated: () => total > kept.size()
  }
}
