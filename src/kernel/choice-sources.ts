import { answerAt, answerIn, type Choice } from "./choice.ts"
import { mulberry32 } from "./mulberry32.ts"

/** One answer of a choice source. */
export interface Draw {
  readonly label: string
  readonly n: number
  readonly answer: number
}

/** Always the calm default. */
export const calmChoice: Choice = { draw: () => 0 }

/**
 * Draws that follow from a seed alone.
 *
 * @since 0.1.0
 * @category kernel
 */
export const seededChoice = (seed: number): Choice => {
  const next = mulberry32(seed)
  return { draw: (n, _, calmWeight) => answerAt(next() / 2 ** 32, n, calmWeight) }
}

/** Answers from a list, modulo the number of possibilities; the calm default when it has run out. */
export const listedChoice = (answers: ReadonlyArray<number>): Choice => {
  let at = 0
  return { draw: (n, _, calmWeight) => (at < answers.length ? answerIn(answers[at++] ?? 0, n, calmWeight) : 0) }
}

/** Keeps every draw of another source in `draws`. */
export const recordedChoice = (source: Choice, draws: Array<Draw>): Choice => ({
  draw(n, label, calmWeight) {
    const answer = source.draw(n, label, calmWeight)
    draws.push({ label, n, answer })
    return answer
  }
})
