import type { Choice } from "../kernel/choice.ts"

/** How far a fiber has come, and where it loses its turn next. */
export interface Place {
  /** The operation before which it was asked last, from 1; and Effect's own count, which begins anew with every turn. */
  at: number
  count: number
  /** Operations about which it has been drawn. */
  drawn: number
  /** The operation before which it loses its turn. */
  yieldsAt: number
  /** Whether it has lost its turn: what comes next only brings it back. */
  isAway: boolean
}

/** @since 0.1.0 @category constructors */
export const newPlace = (): Place => ({
  at: 0,
  count: Number.POSITIVE_INFINITY,
  drawn: 0,
  yieldsAt: Number.POSITIVE_INFINITY,
  isAway: false
})

/**
 * One draw says before which of so many operations a fiber loses its turn. With fewer a run has more preemptions, which finds
 * more and leaves more to shrink; 4 to 32 were tried.
 */
const operationsADraw = 8

/**
 * Says before each operation of a fiber whether it loses its turn. A draw is about the next operations: 0, the calm answer, is
 * none of them, `n` the nth. Operations are counted for each fiber, so that one preemption does not move the others.
 *
 * **Takes** Effect's count of operations in this turn, and the label of the draws, with a fork for each fiber
 *
 * @since 0.1.0
 * @category simulation
 */
export const isPreempted = (
  place: Place,
  count: number,
  { choice, label }: { readonly choice: Choice; readonly label: string }
): boolean => {
  place.at += operationsSince(place, count)
  place.count = count
  if (place.isAway) {
    place.isAway = false
    return false
  }
  while (place.at > place.drawn) {
    const answer = choice.draw(operationsADraw + 1, label)
    place.yieldsAt = answer === 0 ? Number.POSITIVE_INFINITY : place.drawn + answer
    place.drawn += operationsADraw
  }
  if (place.at < place.yieldsAt) return false
  // It is asked before the same operation again when it is back.
  place.yieldsAt = Number.POSITIVE_INFINITY
  place.at--
  place.isAway = true
  return true
}

/** After so many operations of a turn Effect asks once more than else. */
const operationsInOneGo = 32

const operationsSince = (place: Place, count: number): number => {
  if (place.isAway) return 0
  if (count <= place.count) return 1
  const counted = count - place.count
  return counted > 1 && count % operationsInOneGo === 1 ? counted - 1 : counted
}
