import type { RunStats } from "../explore/run-stats.ts"
import type { FoundFailure, ShareResult } from "./sim-worker.ts"

/** What the shares of a campaign came to together. */
export interface MergedShares {
  /** `pairs` is that of the share with most. */
  readonly stats: RunStats
  readonly coverage: ReadonlyArray<string>
  readonly goals: Readonly<Record<string, number>>
  readonly goalsMissed: ReadonlyArray<string>
  readonly isComplete: boolean
  /** The one whose run has the lowest number: the same however many shared the work, as far as their runs are. */
  readonly failure: FoundFailure | null
  /** Kept tokens that are other runs by now, a text for each. */
  readonly outdated: ReadonlyArray<string>
}

/**
 * Adds shares up.
 *
 * @since 0.1.0
 * @category exploring
 */
export const mergeShares = (shares: ReadonlyArray<ShareResult>): MergedShares => {
  const goals = added(shares.map((share) => share.goals))
  const failures = shares.flatMap(({ failure }) => (failure === null ? [] : [failure]))
  return {
    stats: { ...mergeStats(shares.map(({ stats }) => stats)), distinct: distinctOf(shares) },
    coverage: [...new Set(shares.flatMap(({ coverage }) => coverage))],
    goals,
    goalsMissed: Object.keys(goals).filter((goal) => goals[goal] === 0),
    isComplete: shares.length > 0 && shares.every(({ isComplete }) => isComplete),
    failure: failures.reduce<FoundFailure | null>(
      (first, next) => (first === null || next.run < first.run ? next : first),
      null
    ),
    outdated: shares.flatMap(({ outdated }) => outdated)
  }
}

/** Past the bound of hashes it is at least so many. */
const distinctOf = (shares: ReadonlyArray<ShareResult>): number =>
  Math.max(new Set(shares.flatMap(({ hashes }) => hashes)).size, ...shares.map(({ stats }) => stats.distinct))

const mergeStats = (all: ReadonlyArray<RunStats>): Omit<RunStats, "distinct"> => {
  const sum = (of: (stats: RunStats) => number): number => all.reduce((total, stats) => total + of(stats), 0)
  const runs = added(all.map(({ strategies }) => mapped(strategies, (one) => one.runs)))
  const reachedNew = added(all.map(({ strategies }) => mapped(strategies, (one) => one.reachedNew)))
  return {
    runs: sum((stats) => stats.runs),
    cut: sum((stats) => stats.cut),
    failures: added(all.map(({ failures }) => failures)),
    checked: sum((stats) => stats.checked),
    draws: sum((stats) => stats.draws),
    picks: sum((stats) => stats.picks),
    pairs: Math.max(0, ...all.map(({ pairs }) => pairs)),
    strategies: Object.fromEntries(
      Object.keys(runs).map((name) => [name, { runs: runs[name] ?? 0, reachedNew: reachedNew[name] ?? 0 }])
    )
  }
}

const mapped = <A>(record: Readonly<Record<string, A>>, of: (one: A) => number): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(record).map(([name, one]) => [name, of(one)]))

/** Numbers of the same name are added. */
const added = (records: ReadonlyArray<Readonly<Record<string, number>>>): Readonly<Record<string, number>> => {
  const totals = new Map<string, number>()
  for (const record of records) {
    for (const [name, count] of Object.entries(record)) totals.set(name, (totals.get(name) ?? 0) + count)
  }
  return Object.fromEntries(totals)
}
