import { type MergedShares, mergeShares } from "../campaign/merged-shares.ts"
import { runsOf } from "../campaign/shared-strategy.ts"
import type { ProgramInfo, ShareJob, ShareProgress, ShareResult } from "../campaign/sim-worker.ts"
import type { StrategyName } from "../explore/strategies.ts"
import type { CommandIo } from "./command-io.ts"
import type { Crew } from "./explore-crew.ts"
import { everySecond, progressLine } from "./explore-progress.ts"
import { after, untilStopped } from "./explore-stop.ts"

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
}

/** What a search came to. */
export interface Searched extends MergedShares {
  readonly elapsedMs: number
  /** Runs that did not come back. */
  readonly stuck: ReadonlyArray<{ readonly worker: number; readonly run: number }>
  /** What a worker could not do: its program is not deterministic, it called `process.exit`. */
  readonly trouble: { readonly tag: string; readonly message: string } | null
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
  }
): Search => {
  const { workers } = asked
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
    budgetMs
  }
}

/** A run that is under way when the time is over gets so long to come back. */
const stuckMs = 30_000

/**
 * Searches a program with the workers of a crew, until a run fails, all runs are made, time is over, or a signal comes.
 *
 * @since 0.1.0
 * @category running
 */
export const search = async (
  plan: Search,
  { crew, io, tell }: { readonly crew: Crew; readonly io: CommandIo; readonly tell: (line: string) => void }
): Promise<Searched> => {
  const { program, workers, budgetMs } = plan
  const { board } = crew
  const began = io.now()
  const progress: Array<ShareProgress> = []
  let trouble: Searched["trouble"] = null
  board.restart()

  const share = async (at: number): Promise<ShareResult | null> => {
    try {
      const result = await crew.worker(at).explore(jobOf(plan, at), (now) => {
        progress[at] = now
      })
      // Runs before the failing one are still made: the first failure is the one with the lowest number.
      if (result.failure !== null && !program.goesOn) board.limit(Math.min(board.limitNow(), result.failure.run))
      return result
    } catch (error) {
      const { tag, message } = troubleOf(error)
      // A worker counts its own runs.
      trouble ??= {
        tag,
        message: workers === 1 ? message : `worker ${at + 1} of ${workers}, by its own count: ${message}`
      }
      board.limit(0)
      return null
    }
  }
  const quiet = everySecond(() =>
    tell(
      progressLine({
        program: program.name,
        shares: progress.filter((one) => one !== undefined),
        runs: plan.isCounted ? plan.runs : null,
        elapsedMs: io.now() - began,
        budgetMs
      })
    )
  )
  const deadline = budgetMs === null ? null : after(budgetMs + stuckMs)
  const over = deadline === null ? crew.stop.stopped : Promise.race([crew.stop.stopped, deadline.passed])
  const results = await Promise.all(
    Array.from({ length: workers }, (_, at) =>
      untilStopped(
        share(at).then((result) => ({ result })),
        over
      )
    )
  )
  deadline?.forget()
  quiet()
  const stuck = results.flatMap((one, at) => (one === null ? [{ worker: at, run: board.current(at) ?? at }] : []))
  const done = results.flatMap((one) => (one === null || one.result === null ? [] : [one.result]))
  const merged = mergeShares(done)
  // Shares that did not come back made runs too.
  const lost = results.reduce((sum, one, at) => sum + (one?.result == null ? (progress[at]?.runs ?? 0) : 0), 0)
  const stats = { ...merged.stats, runs: merged.stats.runs + lost }
  return { ...merged, stats, elapsedMs: io.now() - began, stuck, trouble }
}

const jobOf = ({ program, workers, runs, seed, strategy, budgetMs }: Search, at: number): ShareJob => ({
  exportName: program.exportName,
  share: { at, of: workers },
  runs,
  seed,
  strategy,
  budgetMs
})

const troubleOf = (error: unknown): { readonly tag: string; readonly message: string } => {
  if (!(error instanceof Error)) return { tag: "thrown", message: String(error) }
  const tag = "_tag" in error && typeof error._tag === "string" ? error._tag : error.name
  return { tag, message: error.message }
}
