/**
 * What is refused, where and what helps.
 *
 * @since 0.1.0
 * @category models
 */
export interface Refusal {
  /** The chart's id. */
  readonly chart: string
  /** Dotted path of the state, empty for the root. */
  readonly state: string
  /** What the chart uses, with its name where it has one: `invoke`, `unknown guard "isIdl"`. */
  readonly construct: string
  /** What to write in its place, as a sentence. */
  readonly instead: string
}

/**
 * A chart uses something that the table does not do, or names something that it does not declare.
 *
 * **Source** feasibility.md section 2
 *
 * @since 0.1.0
 * @category errors
 */
export class UnsupportedChart extends Error implements Refusal {
  override readonly name = "UnsupportedChart"
  readonly chart: string
  readonly state: string
  readonly construct: string
  readonly instead: string

  constructor(refusal: Refusal) {
    const where = refusal.state === "" ? "root state" : `state "${refusal.state}"`
    super(`chart "${refusal.chart}", ${where}: ${refusal.construct} is not supported. ${refusal.instead}`)
    this.chart = refusal.chart
    this.state = refusal.state
    this.construct = refusal.construct
    this.instead = refusal.instead
  }
}
