/**
 * States that a search has been in, each with the operations that slept there: those were not tried from it.
 *
 * @since 0.1.0
 * @category exploring
 */
export interface SeenStates {
  /** What slept in this state whenever the search was there, so was never tried from it; `null` when it never was. Notes the visit. */
  visit(state: string, sleeping: ReadonlyArray<string>): ReadonlySet<string> | null
}

/** States beyond so many are not remembered, and are searched again. */
const statesMax = 1_000_000

/** @since 0.1.0 @category constructors */
export const makeSeenStates = (): SeenStates => {
  const seen = new Map<string, ReadonlySet<string>>()
  return {
    visit(state, sleeping) {
      const before = seen.get(state)
      if (before === undefined) {
        if (seen.size < statesMax) seen.set(state, new Set(sleeping))
        return null
      }
      // What slept then and does not now is tried from here this time.
      if (before.size > 0) seen.set(state, new Set(sleeping.filter((name) => before.has(name))))
      return before
    }
  }
}
