import type { Op } from "../kernel/op.ts"

/**
 * What runs reached: what they said themselves (machine, state, event), and for each actor which operation followed which.
 *
 * @since 0.1.0
 * @category exploring
 */
export interface Coverage {
  /** A run begins; what `newTuples` counts begins at 0. */
  restart(): void
  cover(tuple: string): void
  see(op: Op): void
  newTuples(): number
  /** What runs said, in the order in which it was reached first. */
  tuples(): ReadonlyArray<string>
  /** How many pairs of an operation and the next of the same actor. */
  pairs(): number
}

/** Things beyond so many are not counted. */
const tuplesMax = 100_000

/** Actors and labels have numbers below this; three of them fit a double. */
const namesMax = 1 << 16

/** @since 0.1.0 @category constructors */
export const makeCoverage = (): Coverage => {
  const tuples = new Set<string>()
  const pairs = new Set<number>()
  const names = new Map<string, number>()
  const latest = new Map<string, number>()
  let reached = 0

  const numberOf = (name: string): number => {
    const known = names.get(name)
    if (known !== undefined) return known
    // The last number stands for all that come too late.
    const number = Math.min(names.size + 1, namesMax - 1)
    if (names.size < namesMax) names.set(name, number)
    return number
  }
  const add = <T>(set: Set<T>, thing: T): void => {
    if (set.size >= tuplesMax || set.has(thing)) return
    set.add(thing)
    reached++
  }
  return {
    restart() {
      latest.clear()
      reached = 0
    },
    cover: (tuple) => add(tuples, tuple),
    see({ actor, label }) {
      const event = numberOf(label)
      add(pairs, (numberOf(actor) * namesMax + (latest.get(actor) ?? 0)) * namesMax + event)
      latest.set(actor, event)
    },
    newTuples: () => reached,
    tuples: () => [...tuples],
    pairs: () => pairs.size
  }
}
