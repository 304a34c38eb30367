import { differenceText, type ReplayDifference } from "./draw-check.ts"

/**
 * A run that was made again from a token passes, and it is another run than the one that failed: the token shows nothing any
 * more.
 *
 * **Source** simulation.md, section 5.6
 *
 * @since 0.1.0
 * @category errors
 */
export class RunDiverged extends Error {
  readonly _tag = "RunDiverged"
  /** Where it left the run of the token; `null` when only its hash tells. */
  readonly difference: ReplayDifference | null
  constructor(difference: ReplayDifference | null) {
    const where = difference === null ? "its hash is another one" : differenceText(difference)
    super(
      `the run passes, and it is not the run of the token: ${where}. The program, its options or what it imports asks for other ` +
        "choices now, so the token shows nothing any more: explore again, and forget the token if nothing fails"
    )
    this.name = "RunDiverged"
    this.difference = difference
  }
}
