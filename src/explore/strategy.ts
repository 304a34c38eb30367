import type { Draw } from "../kernel/choice-sources.ts"
import type { ScheduleChoice } from "../kernel/sim-kernel.ts"
import type { Outcome } from "./outcome.ts"

/** What a strategy is told of a run that is about to begin. */
export interface RunInfo {
  /** From 0. */
  readonly index: number
  /** What the strategy draws follows from it. */
  readonly seed: number
  /** The most picks among several operations that a run has taken so far; 0 before the first. */
  readonly picksMax: number
  /** What the program says its state is, at the moment of asking; `null` when it says nothing. */
  stateHash(): string | null
}

/** What a strategy is told of a run that is over. */
export interface RunReport {
  readonly index: number
  /** The strategy, or member of a portfolio, that chose. */
  readonly by: string
  readonly outcome: Outcome
  readonly draws: ReadonlyArray<Draw>
  readonly picks: number
  /** How many things it reached that no run had reached before. */
  readonly newTuples: number
  /** The strategy ended it, for the rest would have shown nothing new; its outcome says nothing. */
  readonly isCut: boolean
}

/** The source of one run. */
export interface StrategyChoice extends ScheduleChoice {
  /** The member of a portfolio that it comes from. */
  readonly by?: string
}

/**
 * A way to search among the runs of a program.
 *
 * **Source** simulation.md, sections 5.2 and 5.4
 *
 * @since 0.1.0
 * @category exploring
 */
export interface Strategy {
  readonly name: string
  /** The source of the next run; `null` when nothing is left to be tried. */
  begin(run: RunInfo): StrategyChoice | null
  /** In a portfolio a strategy is told of the runs of the others too. */
  end(report: RunReport): void
  /** Whether all runs of the program were covered; of a strategy that can know it. */
  isComplete?(): boolean
}
