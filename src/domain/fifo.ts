/**
 * A queue whose ends cost the same however long it is.
 *
 * @since 0.1.0
 * @category models
 */
export interface Fifo<A> {
  push(item: A): void
  peek(): A | undefined
  shift(): A | undefined
  size(): number
  /** What is behind so many others; `undefined` behind all. */
  at(index: number): A | undefined
  /** A copy of what waits, the next one first. */
  toArray(): ReadonlyArray<A>
}

/** Taken items are cut off this many at a time. */
const takenMax = 1_024

/** @since 0.1.0 @category constructors */
export const makeFifo = <A>(from: ReadonlyArray<A> = []): Fifo<A> => {
  let items = [...from]
  let first = 0
  return {
    push: (item) => items.push(item),
    peek: () => items[first],
    shift() {
      if (first >= items.length) return undefined
      const item = items[first++]
      // Nothing is kept of what has been taken.
      if (first === items.length) {
        items = []
        first = 0
      } else if (first >= takenMax && first * 2 >= items.length) {
        items = items.slice(first)
        first = 0
      }
      return item
    },
    size: () => items.length - first,
    at: (index) => items[first + index],
    toArray: () => items.slice(first)
  }
}
