/** An entry of the heap: what is due at `due`, `order` breaking ties by insertion. */
export interface HeapEntry {
  readonly due: number
  readonly order: number
  readonly label: string
  readonly fire: () => void
  isForgotten: boolean
}

/**
 * A binary heap by due time, then insertion.
 *
 * @since 0.1.0
 * @category kernel
 */
export interface EventHeap<E extends HeapEntry = HeapEntry> {
  push(entry: E): void
  peek(): E | undefined
  pop(): E | undefined
  size(): number
  /** All of them, in no order. */
  entries(): ReadonlyArray<E>
  /** Takes out every entry that is forgotten. */
  sweep(): void
}

const isBefore = (a: HeapEntry, b: HeapEntry): boolean => a.due < b.due || (a.due === b.due && a.order < b.order)

/** @since 0.1.0 @category constructors */
export const makeEventHeap = <E extends HeapEntry = HeapEntry>(): EventHeap<E> => {
  const entries: Array<E> = []

  const swap = (at: number, other: number): void => {
    const a = entries[at]
    const b = entries[other]
    if (a === undefined || b === undefined) return
    entries[at] = b
    entries[other] = a
  }
  const isAhead = (at: number, other: number): boolean => {
    const a = entries[at]
    const b = entries[other]
    return a !== undefined && b !== undefined && isBefore(a, b)
  }
  const rise = (from: number): void => {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isAhead(at, parent)) return
      swap(at, parent)
      at = parent
    }
  }
  const sink = (): void => {
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const right = left + 1
      let least = at
      if (isAhead(left, least)) least = left
      if (isAhead(right, least)) least = right
      if (least === at) return
      swap(at, least)
      at = least
    }
  }

  return {
    push(entry) {
      entries.push(entry)
      rise(entries.length - 1)
    },
    peek: () => entries[0],
    pop() {
      const first = entries[0]
      const last = entries.pop()
      if (first === undefined || last === undefined || entries.length === 0) return first
      entries[0] = last
      sink()
      return first
    },
    size: () => entries.length,
    entries: () => entries,
    sweep() {
      const kept = entries.filter((entry) => !entry.isForgotten).sort((a, b) => (isBefore(a, b) ? -1 : 1))
      entries.length = 0
      for (const entry of kept) entries.push(entry)
    }
  }
}
