/**
 * A strategy ends a run, for what would follow was seen in another one. It is no failure of the program.
 *
 * @since 0.1.0
 * @category errors
 */
export class RunCut extends Error {
  readonly _tag = "RunCut"
  constructor() {
    super("the rest of this run shows nothing new")
    this.name = "RunCut"
  }
}
