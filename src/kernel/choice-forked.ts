import { answerAt, answerIn, type Choice } from "./choice.ts"
import { byFork, type ChoiceLists } from "./choice-forks.ts"
import { derive } from "./derive-seed.ts"
import { mulberry32 } from "./mulberry32.ts"

/**
 * Draws that follow from a seed, each fork from a stream of its own.
 *
 * **Takes** a seed from 0 to 2^32 - 1
 *
 * @since 0.1.0
 * @category kernel
 */
export const forkedChoice = (seed: number): Choice => {
  const streamOf = byFork((fork) => mulberry32(derive(seed, `fork:${fork}`)))
  return { draw: (n, label, calmWeight) => answerAt(streamOf(label)() / 2 ** 32, n, calmWeight) }
}

/**
 * Answers each fork from its own list, modulo the number of possibilities; calmly when the list has run out.
 *
 * @since 0.1.0
 * @category kernel
 */
export const forkListedChoice = (lists: ChoiceLists): Choice => {
  const given = new Map(Object.entries(lists))
  const cursorOf = byFork((fork) => ({ list: given.get(fork) ?? [], at: 0 }))
  return {
    draw(n, label, calmWeight) {
      const cursor = cursorOf(label)
      return answerIn(cursor.list[cursor.at++] ?? 0, n, calmWeight)
    }
  }
}
