import type { Choice } from "./choice.ts"
import type { Draw } from "./choice-sources.ts"

/** What was asked of a choice source. */
export interface Asked {
  readonly label: string
  readonly n: number
}

/**
 * A run that is replayed asked for something else than the recorded one.
 *
 * @since 0.1.0
 * @category errors
 */
export class ReplayDiverged extends Error {
  readonly _tag = "ReplayDiverged"
  /** Which draw of the run, from 0. */
  readonly draw: number
  /** `null` when the record ends before it. */
  readonly expected: Asked | null
  /** `null` when the run ends before it. */
  readonly met: Asked | null
  constructor(draw: number, { expected, met }: { readonly expected: Asked | null; readonly met: Asked | null }) {
    const was = expected === null ? "the end of the record" : named(expected)
    const is = met === null ? "the end of the run" : named(met)
    super(
      `the run diverged at draw ${draw}: expected ${was}, met ${is}. The code, its options or its seed have changed`
    )
    this.name = "ReplayDiverged"
    this.draw = draw
    this.expected = expected
    this.met = met
  }
}

const named = ({ label, n }: Asked): string => `${label} of ${n}`

/** A record that is given again. */
export interface ReplayedChoice extends Choice {
  /** Fails when the run diverged, also when it caught that itself, or ended before its record did. */
  finish(): void
}

/**
 * Gives a record again, draw by draw.
 *
 * **Fails** with `ReplayDiverged` at the first draw whose label or number of possibilities is another than recorded, and
 * at every draw after it
 *
 * @since 0.1.0
 * @category kernel
 */
export const replayedChoice = (record: ReadonlyArray<Draw>): ReplayedChoice => {
  let at = 0
  let diverged: ReplayDiverged | null = null
  return {
    draw(n, label) {
      if (diverged !== null) throw diverged
      const expected = record[at]
      if (expected === undefined || expected.label !== label || expected.n !== n) {
        diverged = new ReplayDiverged(at, { expected: expected ?? null, met: { label, n } })
        throw diverged
      }
      at++
      return expected.answer
    },
    finish() {
      if (diverged !== null) throw diverged
      const expected = record[at]
      if (expected !== undefined) throw new ReplayDiverged(at, { expected, met: null })
    }
  }
}
