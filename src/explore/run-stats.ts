import type { RunReport } from "./strategy.ts"

/** What runs amounted to. */
export interface RunStats {
  readonly runs: number
  /** Runs that their strategy ended, since they would have shown nothing new. */
  readonly cut: number
  /** Runs that failed, by signature. */
  readonly failures: Readonly<Record<string, number>>
  /** Runs that were made twice. */
  readonly checked: number
  /** Runs that differ, of those that gave a hash. */
  readonly distinct: number
  readonly draws: number
  /** Picks among several operations. */
  readonly picks: number
  /** Pairs of an operation and the next of its actor. */
  readonly pairs: number
  /** Runs, and how many of them reached something new, by strategy. */
  readonly strategies: Readonly<Record<string, { readonly runs: number; readonly reachedNew: number }>>
}

/** Adds runs up. */
export interface Stats {
  add(report: RunReport): void
  addChecked(): void
  picksMax(): number
  get(pairs: number): RunStats
}

/** Hashes and signatures beyond so many are not counted. */
const hashesMax = 1_000_000
const signaturesMax = 1_000

/** @since 0.1.0 @category constructors */
export const makeStats = (): Stats => {
  const hashes = new Set<string>()
  const failures = new Map<string, number>()
  const strategies = new Map<string, { runs: number; reachedNew: number }>()
  let runs = 0
  let cut = 0
  let checked = 0
  let draws = 0
  let picks = 0
  let picksMax = 0
  return {
    add({ by, outcome, newTuples, isCut, ...report }) {
      runs++
      draws += report.draws.length
      picks += report.picks
      picksMax = Math.max(picksMax, report.picks)
      const strategy = strategies.get(by) ?? { runs: 0, reachedNew: 0 }
      strategy.runs++
      if (newTuples > 0) strategy.reachedNew++
      strategies.set(by, strategy)
      if (isCut) {
        cut++
        return
      }
      if (outcome.hash !== undefined && hashes.size < hashesMax) hashes.add(outcome.hash)
      if (outcome.type === "failed" && (failures.has(outcome.signature) || failures.size < signaturesMax)) {
        failures.set(outcome.signature, (failures.get(outcome.signature) ?? 0) + 1)
      }
    },
    addChecked() {
      checked++
    },
    picksMax: () => picksMax,
    get: (pairs) => ({
      runs,
      cut,
      failures: Object.fromEntries(failures),
      checked,
      distinct: hashes.size,
      draws,
      picks,
      pairs,
      strategies: Object.fromEntries(strategies)
    })
  }
}
