import type { StrategyName } from "../explore/strategies.ts"
import type { CampaignOptions } from "./campaign.ts"
import { type MergedShares, mergeShares } from "./merged-shares.ts"
import type { Crew } from "./module-crew.ts"
import { runsOf } from "./shared-strategy.ts"
import type { ProgramInfo, ShareJob, ShareProgress, ShareResult } from "./sim-worker.ts"
import { after, untilStopped } from "./until-stopped.ts"

/** How a program is searched: what was asked, with what its module says where nothing was asked. */
export interface Search {
  readonly program: ProgramInfo
  readonly seed: number
  readonly strategy: StrategyName
  readonly workers: number
  readonly runs: number
  /** Whether runs are the limit, not time. */
  readonly isCounted: boolean
  readonly budgetMs: number | null
  /** Situations that some run must reach, beside those that the program names. */
  readonly goals: ReadonlyArray<string>
  /** Tokens that were kept, which are tried before all else. */
  readonly kept: ReadonlyArray<string>
  /** What is tried next, before what the program says. */
  readonly first: NonNullable<CampaignOptions["first"]>
}

/** What a search came to. */
export interface Searched extends MergedShares {
  readonly elapsedMs: number
  /** Runs that did not come back; with what such a run had failed when it was made for the first time. */
  readonly stuck: ReadonlyArray<{ readonly worker: number; readonly run: number; readonly failed: string | null }>
  /** What a worker could not do: its program is not deterministic, it called `process.exit`. */
  readonly trouble: { readonly tag: string; readonly message: string; readonly error: unknown } | null
}

/** What was asked for all programs. */
export const planSearch = (
  program: ProgramInfo,
  asked: {
    readonly seed: number | null
    readonly strategy: StrategyName | null
    readonly workers: number
    readonly runs: number | null
    readonly budgetMs: number | null
  } & Partial<Pick<Search, "goals" | "kept" | "first">>
): Search => {
  const { workers, goals = [], kept = [], first = [] } = asked
  const budgetMs = asked.budgetMs ?? (asked.runs === null ? program.budgetMs : null)
  const isTimed = budgetMs !== null
  const strategy = asked.strategy ?? program.strategy
  const runs = runsOf({ runs: asked.runs ?? (asked.budgetMs === null ? program.runs : null), isTimed })
  return {
    program,
    seed: asked.seed ?? program.seed,
    strategy,
    // It goes from one run to the next; several would all make the same runs.
    workers: strategy === "dfs" ? 1 : Math.min(workers, runs),
    runs,
    isCounted: asked.runs !== null || !isTimed,
    budgetMs,
    goals,
    kept,
    first
  }
}

/** How long the search of a program may take: its part of what is left of the time for all. */
export const makeBudget = (options: {
  readonly budgetMs: number | null
  readonly programs: number
  readonly now: () => number
}): ((index: number) => number | null) => {
  const { budgetMs, programs, now } = options
  const began = now()
  return (index) => (budgetMs === null ? null : Math.max(1, budgetMs - (now() - began)) / (programs - index))
}

/** A run that is under way when the time is over gets so long to come back. */
const stuckMs = 30_000

/**
 * Searches a program with the workers of a crew, until a run fails, all runs are made, time is over, or all is to stop.
 *
 * @since 0.1.0
 * @category running
 */
export const search = async (
  plan: Search,
  parts: {
    readonly crew: Crew
    readonly now: () => number
    readonly onProgress?: (at: number, progress: ShareProgress) => void
  }
): Promise<Searched> => {
  const { program, workers, budgetMs } = plan
  const { crew, now } = parts
  const { board } = crew
  const began = now()
  const progress: Array<ShareProgress> = []
  let trouble: Searched["trouble"] = null
  board.restart()

  const share = async (at: number): Promise<ShareResult | null> => {
    try {
      const result = await crew.worker(at).explore(jobOf(plan, at), (one) => {
        progress[at] = one
        parts.onProgress?.(at, one)
      })
      // Runs before the failing one are still made: the first failure is the one with the lowest number.
      if (result.failure !== null && !program.goesOn) board.limit(Math.min(board.limitNow(), result.failure.run))
      return result
    } catch (error) {
      const { tag, message } = troubleOf(error)
      trouble ??= { tag, message: workers === 1 ? message : `worker ${at + 1} of ${workers}: ${message}`, error }
      board.limit(0)
      return null
    }
  }
  const stuckRun = (at: number): Searched["stuck"][number] => {
    const run = board.current(at) ?? at
    const failed = progress[at]?.failed
    return { worker: at, run, failed: failed?.run === run ? failed.message : null }
  }
  const deadline = budgetMs === null ? null : after(budgetMs + stuckMs)
  const over = deadline === null ? crew.stopped : Promise.race([crew.stopped, deadline.passed])
  const results = await Promise.all(
    Array.from({ length: workers }, (_, at) =>
      untilStopped(
        share(at).then((result) => ({ result })),
        over
      )
    )
  )
  deadline?.forget()
  const stuck = results.flatMap((one, at) => (one === null ? [stuckRun(at)] : []))
  const done = results.flatMap((one) => (one === null || one.result === null ? [] : [one.result]))
  const merged = mergeShares(done)
  // Shares that did not come back made runs too.
  const lost = results.reduce((sum, one, at) => sum + (one?.result == null ? (progress[at]?.runs ?? 0) : 0), 0)
  const stats = { ...merged.stats, runs: merged.stats.runs + lost }
  return { ...merged, stats, elapsedMs: now() - began, stuck, trouble }
}

const jobOf = (plan: Search, at: number): ShareJob => {
  const { program, workers, runs, seed, strategy, budgetMs, goals, kept, first } = plan
  return {
    exportName: program.exportName,
    share: { at, of: workers },
    runs,
    seed,
    strategy,
    budgetMs,
    goals,
    kept,
    first
  }
}

const troubleOf = (error: unknown): { readonly tag: string; readonly message: string } => {
  if (!(error instanceof Error)) return { tag: "thrown", message: String(error) }
  const tag = "_tag" in error && typeof error._tag === "string" ? error._tag : error.name
  return { tag, message: error.message }
}
