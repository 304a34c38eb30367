/** Longer words are nobody's misspelling and would cost time. */
const wordLengthMax = 64

/**
 * The candidate that a misspelt word most likely means: the same but for case, one it begins, or one a few letters away.
 *
 * **Gives** `undefined` when nothing is close
 *
 * @since 0.1.0
 * @category errors
 */
export const closest = (word: string, candidates: ReadonlyArray<string>): string | undefined => {
  if (word === "" || word.length > wordLengthMax) return undefined
  const wanted = word.toLowerCase()
  const rated = candidates
    .filter((candidate) => mayBeClose(wanted, candidate))
    .map((candidate) => ({ candidate, distance: ratedDistance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= distanceMax(candidate))
  return rated.reduce<(typeof rated)[number] | undefined>(
    (best, next) => (best === undefined || next.distance < best.distance ? next : best),
    undefined
  )?.candidate
}

const distanceMax = (candidate: string): number => Math.max(1, Math.floor((candidate.length + 1) / 3))

/** Words of too different lengths need no counting. */
const mayBeClose = (word: string, candidate: string): boolean =>
  Math.abs(word.length - candidate.length) <= distanceMax(candidate) || candidate.toLowerCase().startsWith(word)

/** `; did you mean "x"?`, or nothing. */
export const suggestion = (word: string, candidates: ReadonlyArray<string>): string => {
  const found = closest(word, candidates)
  return found === undefined ? "" : `; did you mean ${JSON.stringify(found)}?`
}

/** A word of three letters or more that begins a candidate is as good as one wrong letter. */
const ratedDistance = (word: string, candidate: string): number =>
  word.length >= 3 && candidate.startsWith(word)
    ? Math.min(1, candidate.length - word.length)
    : editDistance(word, candidate)

/** Letters to insert, remove, replace or swap with their neighbour to make one word of the other. */
const editDistance = (left: string, right: string): number => {
  let earlier: ReadonlyArray<number> = []
  let row: ReadonlyArray<number> = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      const isSwap = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      const swapped = isSwap ? (earlier[j - 2] ?? Number.POSITIVE_INFINITY) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    earlier = row
    row = next
  }
  return row[right.length] ?? 0
}
