/** How a simulated test divides its time: it is asked before each run. */
export interface TestTime {
  /** Whether no run may begin any more, for its failure could not be told in time. */
  isOver(): boolean
  isShrinkOver(): boolean
  /** Whether it was ever over. */
  wasOver(): boolean
}

/** A run that may fail, the same once more to see that it is the same, its first run of shrinking, and the one that is told. */
const runsOfFailure = 4

/** The run that shrinking makes, and the one that is told. */
const runsOfTelling = 2

/**
 * Ends a campaign early enough for what comes after its last run, by how long runs took so far.
 *
 * @since 0.1.0
 * @category running
 */
export const makeTestTime = ({
  now,
  timeoutMs
}: {
  readonly now: () => number
  readonly timeoutMs: number
}): TestTime => {
  const end = now() + timeoutMs - timeoutMs / 20
  let asks = 0
  let warmAt = 0
  let wasOver = false
  let isShrunk = false
  const hasTimeFor = (runs: number): boolean => {
    const at = now()
    // The first run, after which this is asked for the second time, loads modules and says little of the others.
    if (++asks === 2) warmAt = at
    const meanMs = asks > 2 ? (at - warmAt) / (asks - 2) : 0
    return at + runs * meanMs < end
  }
  return {
    isOver() {
      wasOver ||= !hasTimeFor(runsOfFailure)
      return wasOver
    },
    isShrinkOver() {
      isShrunk ||= !hasTimeFor(runsOfTelling)
      return isShrunk
    },
    wasOver: () => wasOver
  }
}

/**
 * A simulated test had no time for all of its runs, and none of those that it made failed.
 *
 * @since 0.1.0
 * @category errors
 */
export class CampaignTimedOut extends Error {
  readonly _tag = "CampaignTimedOut"
  constructor({ runs, of, timeoutMs }: { readonly runs: number; readonly of: number; readonly timeoutMs: number }) {
    super(
      `${runs} of ${of} runs fitted into the time of the test (timeoutMs: ${timeoutMs}), and none of them failed; give it more ` +
        "time, fewer runs, or budgetMs, which lets time decide how many there are"
    )
    this.name = "CampaignTimedOut"
  }
}
