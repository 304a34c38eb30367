import type { Strategy } from "../explore/strategy.ts"
import { derive } from "../kernel/derive-seed.ts"

/** Which part of a campaign's runs a worker makes: number `at`, and every `of`th after it. */
export interface Share {
  readonly at: number
  readonly of: number
}

/** The number in its campaign of the run that is number `index` of its share. */
export const runNumber = ({ at, of }: Share, index: number): number => at + index * of

/** How many of `runs` runs belong to a share. */
export const runsOfShare = ({ at, of }: Share, runs: number): number => Math.max(0, Math.ceil((runs - at) / of))

/** Whether the run with this number in its campaign belongs to a share. */
export const isOfShare = ({ at, of }: Share, number: number): boolean => number % of === at

const runsDefault = 300
const runsMax = 1_000_000

/** How many runs a campaign makes when nobody says. */
export const runsOf = (asked: { readonly runs: number | null; readonly isTimed: boolean }): number =>
  asked.runs ?? (asked.isTimed ? runsMax : runsDefault)

/**
 * A strategy that makes the runs of a share, under the numbers and seeds that they have in the whole campaign. What it draws
 * from the seed of a run alone is so the same however many share the work; what it learned, it learned from its own share.
 *
 * @since 0.1.0
 * @category exploring
 */
export const sharedStrategy = (strategy: Strategy, share: Share, seed: number): Strategy => ({
  name: strategy.name,
  begin(run) {
    const index = runNumber(share, run.index)
    return strategy.begin({ ...run, index, seed: derive(seed, `run:${index}`) })
  },
  end: (report) => strategy.end({ ...report, index: runNumber(share, report.index) }),
  isComplete: () => strategy.isComplete?.() ?? false
})
