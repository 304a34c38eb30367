import { answerAt, type Choice } from "../../kernel/choice.ts"
import { derive } from "../../kernel/derive-seed.ts"
import { mulberry32 } from "../../kernel/mulberry32.ts"

/**
 * Draws that follow from the seed and the label alone, whatever was drawn before: directions and connections may then take their
 * turns in any order, and the same frames meet the same faults.
 *
 * **Takes** a seed from 0 to 2^32 - 1
 *
 * @since 0.1.0
 * @category constructors
 */
export const labelledChoice = (seed: number): Choice => ({
  draw: (n, label, calmWeight) => answerAt(mulberry32(derive(seed, label))() / 2 ** 32, n, calmWeight)
})

const finest = 1_000_000

/** The least whole number of equal answers of which a share is made, so that a search has few to go through. */
const answersFor = (share: number): number => {
  for (let n = 2; n <= 1_000; n++) if (Math.abs(share * n - Math.round(share * n)) < 1e-9) return n
  return finest
}

/** Whether something of this probability happens; the calm answer is that it does not. Shares of 0 and 1 draw nothing. */
export const happens = (choice: Choice, probability: number, label: string): boolean => {
  if (probability <= 0 || probability >= 1) return probability >= 1
  const n = answersFor(probability)
  return choice.draw(n, label) >= n - Math.round(probability * n)
}
