/** What is said of runs that did not come back. */
export const stuckText = (runs: ReadonlyArray<number>): string =>
  `run ${runs.join(", ")} did not come back: a loop that never waits, or real work without an end`

/**
 * Runs of a search in threads had not come back half a minute after its time was over; their threads were ended.
 *
 * @since 0.1.0
 * @category errors
 */
export class RunStuck extends Error {
  readonly _tag = "RunStuck"
  /** Their numbers in the search, from 0. */
  readonly runs: ReadonlyArray<number>
  constructor(program: string, runs: ReadonlyArray<number>) {
    super(`${program}: ${stuckText(runs)}`)
    this.name = "RunStuck"
    this.runs = runs
  }
}
