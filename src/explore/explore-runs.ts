import { forkListedChoice } from "../kernel/choice-forked.ts"
import { type ChoiceLists, listsOf } from "../kernel/choice-forks.ts"
import type { Draw } from "../kernel/choice-sources.ts"
import { derive } from "../kernel/derive-seed.ts"
import { makeCoverage } from "./coverage.ts"
import { drawCheckOf } from "./draw-check.ts"
import { type Attempts, drive } from "./drive.ts"
import { type Goals, GoalsMissed, makeGoals, namesReached } from "./goals.ts"
import type { Outcome } from "./outcome.ts"
import { portfolioStrategy } from "./portfolio-strategy.ts"
import type { Program, RunContext } from "./program.ts"
import { decodeToken, encodeToken, InvalidToken } from "./replay-token.ts"
import { makeStats, type RunStats } from "./run-stats.ts"
import { checkedAgain } from "./self-check.ts"
import { type Shrunk, shrinking } from "./shrink-choices.ts"
import type { RunReport, Strategy, StrategyChoice } from "./strategy.ts"
import { watchChoice } from "./watched-choice.ts"

/** How a program is explored. */
export interface ExploreOptions<R extends Outcome | PromiseLike<Outcome>> {
  readonly run: Program<R>
  /** Default: the portfolio. */
  readonly strategy?: Strategy
  /** How many runs at most. Default 300; 1,000,000 with `isOver`. */
  readonly runs?: number
  /** Asked before every run: ends the exploration, or the shrinking, when true. For a budget of time. */
  readonly isOver?: () => boolean
  /** From 0 to 2^32 - 1; default 0. */
  readonly seed?: number
  /** What is tried first: tokens of runs that failed before, or choices. */
  readonly first?: ReadonlyArray<string | ChoiceLists>
  /** Situations that some run must reach, beside those that the program names. */
  readonly goals?: ReadonlyArray<string>
  /** Which share of the runs is made twice, to see that it is the same run. Default 0.05; the first run always is, if it is not 0. */
  readonly checkShare?: number
  /** Whether it goes on after a failure: then failures are counted, and the first one is shrunk at the end. Default false. */
  readonly goesOn?: boolean
  /** Runs that shrinking may make; 0 does not shrink. Default 400. */
  readonly shrinkRunsMax?: number
  /** Told of every run. */
  readonly onRun?: (report: RunReport) => void
  /** Given the token of the first failure as it was found, before it is made small. */
  readonly onFound?: (token: string) => void
  /** Asked before every run of shrinking, which it ends when true. Default: `isOver`. */
  readonly isShrinkOver?: () => boolean
}

/** The first failure that was found. */
export interface Failure {
  readonly index: number
  readonly by: string
  readonly signature: string
  readonly message: string
  readonly draws: ReadonlyArray<Draw>
  readonly hash: string | null
  /** `null` when it was not to be shrunk. */
  readonly shrunk: Shrunk | null
  /** Gives the shrunk run again, or the run as it was found. */
  readonly token: string
}

/** A failure before it is made small, with the seed of all that is no choice. */
type Found = Omit<Failure, "shrunk" | "token"> & { readonly seed: number }

/** What an exploration found. */
export interface Exploration {
  readonly failure: Failure | null
  readonly stats: RunStats
  /** What runs said that they reached. */
  readonly coverage: ReadonlyArray<string>
  /** How often each goal was reached. */
  readonly goals: Readonly<Record<string, number>>
  readonly goalsMissed: ReadonlyArray<string>
  /** Whether every run of the program was covered, which only an exhaustive strategy can know. */
  readonly isComplete: boolean
}

export const runsDefault = 300
const runsMax = 1_000_000
const checkShareDefault = 0.05

/**
 * Runs a program again and again, each time with other choices, until a run fails; shrinks what failed.
 *
 * **Fails** with `NotDeterministic` when a run made twice was not the same (a failing run always is), with `InvalidToken` of
 * `first`, and with what the strategy throws
 * **Gives** a promise when the program gives promises
 * **Source** simulation.md, sections 5.4 and 5.6
 *
 * @since 0.1.0
 * @category exploring
 */
export function exploreRuns(options: ExploreOptions<Outcome>): Exploration
export function exploreRuns(options: ExploreOptions<PromiseLike<Outcome>>): Promise<Exploration>
export function exploreRuns(
  options: ExploreOptions<Outcome | PromiseLike<Outcome>>
): Exploration | Promise<Exploration> {
  return drive(exploring(options))
}

/** Fails with `GoalsMissed` when there is a goal that no run reached. */
export const checkGoals = ({ goals, goalsMissed, stats }: Exploration): void => {
  if (goalsMissed.length > 0) throw new GoalsMissed(goalsMissed, stats.runs, namesReached(goals))
}

export function* exploring(options: ExploreOptions<Outcome | PromiseLike<Outcome>>): Attempts<Exploration> {
  const { strategy = portfolioStrategy(), seed = 0, isOver = () => false, goesOn = false } = options
  const runs = options.runs ?? (options.isOver === undefined ? runsDefault : runsMax)
  const first = (options.first ?? []).map((one) => firstRun(one, seed))
  const coverage = makeCoverage()
  const goals = makeGoals(options.goals ?? [])
  const stats = makeStats()
  let found: Found | null = null

  for (let index = 0; index < runs && !isOver() && (goesOn || found === null); index++) {
    const runSeed = derive(seed, `run:${index}`)
    let state: (() => string) | null = null
    const stateHash = (): string | null => state?.() ?? null
    const before = first[index]
    const source: StrategyChoice | null =
      before === undefined
        ? strategy.begin({ index, seed: runSeed, picksMax: stats.picksMax(), stateHash })
        : { ...forkListedChoice(before.lists), by: "first" }
    if (source === null) break

    coverage.restart()
    const watched = watchChoice(source, coverage.see)
    const worldSeed = before?.seed ?? seed
    const context = contextOf(worldSeed, { cover: coverage.cover, goals, stateOf: (of) => (state = of) })
    const outcome = yield () => options.run(watched.choice, context)
    if (watched.broken() !== null) throw watched.broken()
    const record = { outcome, draws: watched.draws, steps: watched.steps }
    const report: RunReport = {
      index,
      by: source.by ?? strategy.name,
      outcome,
      draws: watched.draws,
      picks: watched.picks(),
      newTuples: coverage.newTuples(),
      isCut: watched.isCut()
    }
    strategy.end(report)
    stats.add(report)
    options.onRun?.(report)
    if (report.isCut) continue
    const isFailed = outcome.type === "failed"
    if (isChecked(index, runSeed, options.checkShare) || (isFailed && found === null)) {
      stats.addChecked()
      yield* checkedAgain(options.run, { seed: worldSeed, index, record })
    }
    if (outcome.type !== "failed" || found !== null) continue
    const { signature, message, hash = null } = outcome
    found = { index, by: report.by, signature, message, draws: watched.draws, hash, seed: worldSeed }
    options.onFound?.(tokenOf(found))
  }

  return {
    failure: found === null ? null : yield* shrunkFailure(found, options),
    stats: stats.get(coverage.pairs()),
    coverage: coverage.tuples(),
    goals: goals.reached(),
    goalsMissed: goals.missed(),
    isComplete: strategy.isComplete?.() ?? false
  }
}

const isChecked = (index: number, runSeed: number, share = checkShareDefault): boolean =>
  share > 0 && (index === 0 || derive(runSeed, "check") / 2 ** 32 < share)

const contextOf = (
  seed: number,
  {
    cover,
    goals,
    stateOf
  }: {
    readonly cover: (tuple: string) => void
    readonly goals: Goals
    readonly stateOf: (state: () => string) => void
  }
): RunContext => ({
  seed,
  cover,
  sometimes: (goal, holds = true) => goals.sometimes(goal, holds),
  stateOf
})

/** A token keeps the seed of its run: ids follow from it. */
const firstRun = (one: string | ChoiceLists, seed: number): { readonly seed: number; readonly lists: ChoiceLists } => {
  if (typeof one !== "string") return { seed, lists: one }
  const { lists, ...token } = decodeToken(one)
  if (lists === null) throw new InvalidToken("it follows from a seed and holds no choices that could be tried first")
  return { seed: token.seed, lists }
}

const tokenOf = ({ draws, hash, seed }: Pick<Found, "draws" | "hash" | "seed">): string =>
  encodeToken({ seed, lists: listsOf(draws), hash, check: drawCheckOf(draws) })

function* shrunkFailure(
  { seed, ...found }: Found,
  options: ExploreOptions<Outcome | PromiseLike<Outcome>>
): Attempts<Failure> {
  const { run, shrinkRunsMax = 400, isShrinkOver: isOver = options.isOver } = options
  const lists = listsOf(found.draws)
  const bounds = { replaysMax: shrinkRunsMax, ...(isOver === undefined ? {} : { isOver }) }
  const shrunk =
    shrinkRunsMax === 0 ? null : yield* shrinking({ run, seed, lists, signature: found.signature, ...bounds })
  return { ...found, shrunk, token: tokenOf({ seed, ...(shrunk ?? found) }) }
}
