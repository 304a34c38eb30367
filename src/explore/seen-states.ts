/**
 * States that a search has been in, each with the operations that slept there: those were not tried from it.
 *
 * @since 0.1.0
 * @category exploring
 */
export interface SeenStates {
  /** Whether all that may follow was tried from this state before; notes the visit when not. */
  isCovered(state: string, sleeping: ReadonlySet<string>): boolean
}

/** States beyond so many are not remembered, and are searched again. */
const statesMax = 1_000_000

/** @since 0.1.0 @category constructors */
export const makeSeenStates = (): SeenStates => {
  const seen = new Map<string, ReadonlySet<string>>()
  return {
    isCovered(state, sleeping) {
      const before = seen.get(state)
      // What slept then and does not now has never been tried from here.
      if (before !== undefined && [...before].every((name) => sleeping.has(name))) return true
      const still = before === undefined ? [...sleeping] : [...before].filter((name) => sleeping.has(name))
      if (before !== undefined || seen.size < statesMax) seen.set(state, new Set(still))
      return false
    }
  }
}
