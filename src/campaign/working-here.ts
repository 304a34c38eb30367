import { differenceText, drawCheckOf } from "../explore/draw-check.ts"
import { exploreRuns } from "../explore/explore-runs.ts"
import { NotDeterministic } from "../explore/not-deterministic.ts"
import { replayRun } from "../explore/replay-run.ts"
import { decodeToken, encodeToken } from "../explore/replay-token.ts"
import { shrinkChoices } from "../explore/shrink-choices.ts"
import { strategies } from "../explore/strategies.ts"
import { listsOf, nonCalmCount } from "../kernel/choice-forks.ts"
import { installFence } from "../sim/fence.ts"
import type { RunSync } from "../supervisor/lifetime.ts"
import { programOf, replayWorld } from "./explore-world.ts"
import { watchKept } from "./kept-runs.ts"
import { loadPrograms, type NamedProgram } from "./program-module.ts"
import { isOfShare, runNumber, runsOfShare, sharedStrategy } from "./shared-strategy.ts"
import type { ReplayedRun, ShareJob, ShareProgress, ShareResult, ShrinkJob, SimWorker, SmallRun } from "./sim-worker.ts"
import { makeStopBoard, type StopBoard } from "./stop-board.ts"
import { endOf, stackOf, stepsOf, thrownOf } from "./traced-run.ts"

/** What a worker in this thread works with. */
export interface WorkParts {
  readonly module: string
  readonly memory: SharedArrayBuffer
  readonly index: number
  readonly runSync: RunSync
  /** Real time in milliseconds. */
  readonly now: () => number
}

const shrinkRunsDefault = 400

/** Hashes of so many runs are told to whoever adds shares up. */
const hashesMax = 100_000

/** Progress is told at most this often. */
const progressMs = 200

/**
 * A worker in this thread.
 *
 * @since 0.1.0
 * @category constructors
 */
export const workHere = (parts: WorkParts): SimWorker => {
  const board = makeStopBoard(parts.memory)
  let loaded: Promise<ReadonlyArray<NamedProgram>> | null = null
  const load = (): Promise<ReadonlyArray<NamedProgram>> => {
    // Before the module loads clients that keep Node's own timers for themselves.
    installFence()
    loaded ??= loadPrograms(parts.module)
    return loaded
  }
  const find = async (exportName: string): Promise<NamedProgram> => {
    const program = (await load()).find((one) => one.exportName === exportName)
    if (program === undefined) throw new Error(`${parts.module} has no program ${JSON.stringify(exportName)}`)
    return program
  }
  return {
    programs: async () =>
      (await load()).map(({ name, exportName, options, problem }) => ({
        name,
        exportName,
        seed: options.seed ?? 0,
        strategy: options.strategy ?? "portfolio",
        runs: options.runs ?? null,
        budgetMs: options.budgetMs ?? null,
        shrinkRunsMax: options.shrinkRunsMax ?? shrinkRunsDefault,
        goesOn: options.goesOn ?? false,
        isUntimed: options.isUntimed ?? false,
        problem
      })),
    explore: async (job, onProgress) =>
      exploreShare(await find(job.exportName), job, { ...parts, board, onProgress }).catch(inCampaign(job)),
    replay: async ({ exportName, token }) => replayed(await find(exportName), token, parts),
    shrink: async (job) => shrunk(await find(job.exportName), job, { ...parts, board }),
    close: async () => {}
  }
}

const exploreShare = async (
  { options, run }: NamedProgram,
  { share, runs, seed, strategy, budgetMs, ...job }: ShareJob,
  parts: WorkParts & { readonly board: StopBoard; readonly onProgress: (progress: ShareProgress) => void }
): Promise<ShareResult> => {
  const { board, index: place, now, runSync } = parts
  const { first = [], goals: ownGoals = [], onRun, isOver, ...rest } = options
  // What failed before is tried once, each by who makes the run with its number.
  const isMine = (_: unknown, number: number): boolean => isOfShare(share, number)
  const kept = watchKept(job.kept.filter(isMine))
  const progress = makeProgress(parts.onProgress, now)
  const began = now()
  const hashes = new Set<string>()
  let made = 0
  const mayNot = (): boolean => {
    const next = runNumber(share, made)
    const isLate = isOver?.() === true || (budgetMs !== null && now() - began >= budgetMs)
    // A program that was never run would pass: its first run is made whatever time there is.
    if (board.isStopped() || next >= board.limitNow() || (isLate && next > 0)) return true
    board.begin(place, next)
    return false
  }
  const { failure, stats, coverage, goals, isComplete } = await exploreRuns({
    ...rest,
    seed,
    first: [...job.kept, ...job.first, ...first].filter(isMine),
    goals: [...ownGoals, ...job.goals],
    strategy: sharedStrategy(strategies[strategy](), share, seed),
    runs: runsOfShare(share, runs),
    // Which of several failures counts is known when all have come so far; that one is then made small.
    shrinkRunsMax: 0,
    isOver: mayNot,
    onRun(report) {
      made++
      progress.add(report.by, report.newTuples)
      const { outcome } = report
      if (outcome.type === "failed" && !report.isCut)
        progress.failed({ run: runNumber(share, report.index), message: outcome.message })
      const { hash } = report.outcome
      if (hash !== undefined && !report.isCut && hashes.size < hashesMax) hashes.add(hash)
      kept.see(report)
      onRun?.(report)
    },
    run: programOf(run, options, runSync)
  })
  progress.tell()
  return {
    stats,
    hashes: [...hashes],
    coverage,
    goals,
    isComplete,
    outdated: kept.outdated(),
    failure:
      failure === null
        ? null
        : {
            run: runNumber(share, failure.index),
            by: failure.by,
            signature: failure.signature,
            message: failure.message,
            token: failure.token
          }
  }
}

/** A share counts its own runs: its error, with the number of the run in the whole campaign. */
const inCampaign =
  ({ share }: ShareJob) =>
  (error: unknown): never => {
    throw error instanceof NotDeterministic ? new NotDeterministic(runNumber(share, error.run), error) : error
  }

const makeProgress = (
  tell: (progress: ShareProgress) => void,
  now: () => number
): {
  add(by: string, newTuples: number): void
  failed(run: NonNullable<ShareProgress["failed"]>): void
  tell(): void
} => {
  const counts = new Map<string, number>()
  let runs = 0
  let reached = 0
  let toldAt = Number.NEGATIVE_INFINITY
  let failed: ShareProgress["failed"]
  const tellNow = (): void => tell({ runs, reached, strategies: Object.fromEntries(counts), failed })
  return {
    add(by, newTuples) {
      runs++
      reached += newTuples
      counts.set(by, (counts.get(by) ?? 0) + 1)
      if (now() - toldAt < progressMs) return
      toldAt = now()
      tellNow()
    },
    failed(run) {
      if (failed !== undefined) return
      failed = run
      tellNow()
    },
    tell: tellNow
  }
}

const replayed = async ({ options, run }: NamedProgram, token: string, parts: WorkParts): Promise<ReplayedRun> => {
  const again = await replayWorld(run, { ...options, token }, parts.runSync)
  const { outcome, isSame, difference, draws, run: seen } = again
  const { seed } = decodeToken(token)
  // A token names its run by its seed or by choices: what comes out of here holds the choices.
  const made = encodeToken({
    seed,
    lists: listsOf(draws),
    hash: outcome.hash ?? null,
    check: drawCheckOf(draws)
  })
  return {
    end: endOf(outcome, { token: made, run: seen }),
    steps: seen === null ? [] : stepsOf(seen),
    isSame,
    difference: difference === null ? null : differenceText(difference),
    stack: stackOf(seen?.error),
    thrown: thrownOf(seen?.error)
  }
}

const shrunk = async (
  { options, run }: NamedProgram,
  { token, runsMax, budgetMs }: ShrinkJob,
  { board, now, runSync }: WorkParts & { readonly board: StopBoard }
): Promise<SmallRun | null> => {
  const began = now()
  const program = programOf(run, options, runSync)
  const { outcome, draws } = await replayRun({ run: program, token })
  if (outcome.type === "ok") return null
  const { seed } = decodeToken(token)
  const lists = listsOf(draws)
  const { signature } = outcome
  const small = await shrinkChoices({
    run: program,
    seed,
    lists,
    signature,
    replaysMax: runsMax,
    isOver: () => board.isStopped() || now() - began >= budgetMs
  })
  if (small === null) return null
  return {
    token: encodeToken({ seed, lists: small.lists, hash: small.hash, check: drawCheckOf(small.draws) }),
    signature,
    lists: small.lists,
    nonCalm: small.nonCalm,
    nonCalmBefore: nonCalmCount(lists),
    replays: small.replays,
    isMinimal: small.isMinimal
  }
}
