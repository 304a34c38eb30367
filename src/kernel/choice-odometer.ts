import type { Choice } from "./choice.ts"
import { ReplayDiverged } from "./choice-replayed.ts"

/** How much an odometer counts through. */
export interface OdometerOptions {
  /** Draws after so many of one run are calm. Default 1,000. */
  readonly drawsMax?: number
  /** Default 100,000. */
  readonly runsMax?: number
}

/**
 * Counts through all that a run can choose, depth first, beginning with the calm run.
 *
 * @since 0.1.0
 * @category kernel
 */
export interface Odometer {
  /** The source of the next run; `null` when there is none, or the bound of runs is reached. */
  next(): Choice | null
  /** Whether every list of choices was given; false as long as a bound cut anything off. */
  isComplete(): boolean
  runs(): number
}

interface Digit {
  readonly label: string
  readonly n: number
  answer: number
}

/**
 * **Fails** with `ReplayDiverged` when the same answers lead to another question than before
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeOdometer = (options: OdometerOptions = {}): Odometer => {
  const { drawsMax = 1_000, runsMax = 100_000 } = options
  const digits: Array<Digit> = []
  let runs = 0
  let isOver = false
  let wasCut = false

  /** Turns the last digit that can be turned; those after it were reached through it and are forgotten. */
  const turn = (): boolean => {
    for (let last = digits.at(-1); last !== undefined; last = digits.at(-1)) {
      if (++last.answer < last.n) return true
      digits.pop()
    }
    return false
  }

  return {
    next() {
      if (isOver) return null
      if (runs > 0 && !turn()) {
        isOver = true
        return null
      }
      if (runs >= runsMax) {
        isOver = true
        wasCut = true
        return null
      }
      runs++
      let at = 0
      return {
        draw(n, label) {
          if (at >= drawsMax) {
            wasCut ||= n > 1
            return 0
          }
          const digit = digits[at] ?? { label, n, answer: 0 }
          if (digit.label !== label || digit.n !== n) {
            throw new ReplayDiverged(at, { expected: digit, met: { label, n } })
          }
          digits[at++] = digit
          return digit.answer
        }
      }
    },
    isComplete: () => isOver && !wasCut,
    runs: () => runs
  }
}
