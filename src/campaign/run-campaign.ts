import { differenceText } from "../explore/draw-check.ts"
import { checkGoals } from "../explore/explore-runs.ts"
import type { Outcome } from "../explore/outcome.ts"
import { decodeToken, encodeToken, testMark } from "../explore/replay-token.ts"
import { RunDiverged } from "../explore/run-diverged.ts"
import { liveClock } from "../live/clock.ts"
import { whileFenced } from "../sim/fence.ts"
import type { RunSync } from "../supervisor/lifetime.ts"
import type { Campaign, CampaignOptions, SimProgram } from "./campaign.ts"
import { exploreWorld, replayWorld, type SeenRun } from "./explore-world.ts"
import { failureText, notKeptLine, traceLine } from "./failure-text.ts"
import { SimFailed } from "./sim-failed.ts"
import { stepsOf } from "./traced-run.ts"
import type { FailedRun, KeptTraces } from "./traced-test.ts"

/** What a campaign is told beside its options. */
export interface CampaignParts {
  /** Real time in milliseconds. */
  readonly now?: () => number
  /** The name of the simulated test, which its tokens are marked with. */
  readonly test?: string
  /**
   * Keeps the token of a failure: at once as it was found, for what comes after may not come to its end, and made small in the
   * place of that.
   *
   * **Gives** why it cannot be kept, which is told beside the failure; `null` when it is
   */
  readonly keep?: (token: string, inPlaceOf?: string) => string | null
  /** Ends shrinking. Default: after as long as the budget, if there is one, or ten seconds if that is more. */
  readonly isShrinkOver?: () => boolean
  readonly traces?: KeptTraces | null
}

const shrinkMsLeast = 10_000

/**
 * Explores a program; a failure is told with its smallest run.
 *
 * **Fails** with `SimFailed`, with `GoalsMissed` when a named situation was never reached, with `NotDeterministic`, with
 * `FenceRefused` when other fake timers are active
 *
 * @since 0.1.0
 * @category exploring
 */
export const runCampaign = (
  body: SimProgram,
  { budgetMs, ...options }: CampaignOptions,
  runSync: RunSync,
  parts: CampaignParts = {}
): Promise<Campaign> =>
  whileFenced(async () => {
    const { now = liveClock.now, test } = parts
    const began = now()
    let foundAt = began
    let found: string | undefined
    const timed =
      budgetMs === undefined ? {} : { isShrinkOver: () => now() - foundAt >= Math.max(budgetMs, shrinkMsLeast) }
    const isOver = (): boolean => now() - began >= (budgetMs ?? Number.POSITIVE_INFINITY) || options.isOver?.() === true
    const isBounded = budgetMs !== undefined || options.isOver !== undefined
    const { failure, ...campaign } = await exploreWorld(
      body,
      {
        ...options,
        ...(isBounded ? { isOver: afterFirst(isOver) } : {}),
        ...timed,
        ...(parts.isShrinkOver === undefined ? {} : { isShrinkOver: parts.isShrinkOver }),
        onFound(token) {
          foundAt = now()
          found = marked(token, test)
          parts.keep?.(found)
        }
      },
      runSync
    )
    if (failure !== null) {
      const token = marked(failure.token, test)
      const problem = parts.keep?.(token, found) ?? null
      const hasGivenChoices = typeof options.first?.[failure.index] === "object"
      const foundBy = { by: failure.by, run: failure.index, hasGivenChoices }
      throw await toldFailure(body, { ...options, token, found: foundBy }, runSync, {
        traces: parts.traces,
        notes: problem === null ? [] : [notKeptLine(problem)]
      })
    }
    checkGoals({ failure, ...campaign })
    return campaign
  })

/** A program that was never run would pass: its first run is made whatever time there is. */
const afterFirst = (isOver: () => boolean): (() => boolean) => {
  let asks = 0
  return () => {
    const isEnd = isOver()
    return asks++ > 0 && isEnd
  }
}

/**
 * Runs one run of a program again, and fails as it failed.
 *
 * **Fails** with `SimFailed`, `InvalidToken`; with `RunDiverged` when the run passes, and could not make the choices of the token
 *
 * @since 0.1.0
 * @category replaying
 */
export const replayOnce = async (
  body: SimProgram,
  options: CampaignOptions & { readonly token: string },
  runSync: RunSync,
  parts: CampaignParts = {}
): Promise<void> => {
  const { token } = options
  const { lists } = decodeToken(token)
  const { outcome, run, difference, isSame } = await whileFenced(() => replayWorld(body, options, runSync))
  if (outcome.type === "ok") {
    // What follows from a seed alone is the same run or none of that token.
    if (difference !== null || (lists === null && isSame === false)) throw new RunDiverged(difference)
    return
  }
  const notes = difference === null ? [] : [`not quite the run of the token: ${differenceText(difference)}`]
  throw failed({ outcome, run, token, found: null, notes, traces: parts.traces })
}

const marked = (token: string, test: string | undefined): string =>
  test === undefined ? token : encodeToken({ ...decodeToken(token), test: testMark(test) })

const toldFailure = async (
  body: SimProgram,
  options: CampaignOptions & Pick<FailedRun, "token" | "found">,
  runSync: RunSync,
  { traces, notes }: Pick<ToldFailed, "traces" | "notes">
): Promise<SimFailed> => {
  const { token, found } = options
  const { outcome, run } = await replayWorld(body, options, runSync)
  return failed({ outcome, run, token, found, notes, traces })
}

interface ToldFailed {
  readonly outcome: Outcome
  readonly run: SeenRun | null
  readonly token: string
  readonly found: FailedRun["found"]
  /** Lines under the token. */
  readonly notes: ReadonlyArray<string>
  readonly traces: KeptTraces | null | undefined
}

const failed = ({ outcome, run, token, found, notes, traces }: ToldFailed): SimFailed => {
  const message = outcome.type === "failed" ? outcome.message : "the run failed, and passes when it is made again"
  const { seed } = decodeToken(token)
  const kept = run === null || traces == null ? null : traces.keep({ run, outcome, token, found, seed })
  const told = run === null ? null : { ...run, steps: stepsOf(run) }
  const more = [...notes, ...(kept === null ? [] : [traceLine(kept)])]
  const text = failureText({ message, token, found, run: told, more })
  return new SimFailed(text, {
    token,
    trace: kept !== null && "path" in kept ? kept.path : null,
    cause: run?.error
  })
}
