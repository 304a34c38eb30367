import type { Search, Searched } from "../campaign/module-search.ts"
import { stuckText } from "../campaign/run-stuck.ts"
import { namesReached, someNames } from "../explore/goals.ts"
import { decodeToken } from "../explore/replay-token.ts"
import { nonCalmCount } from "../kernel/choice-forks.ts"
import type { StopSignal } from "./command-io.ts"
import type { ToldFailure } from "./explore-failure.ts"
import type { JunitCase } from "./explore-junit.ts"
import type { OutputRecord } from "./report.ts"

/**
 * How the search of a program ended: nothing found, a failing run, a situation that no run reached, a program that is not the same
 * twice or cannot be run, a run that did not come back, a signal before the end.
 */
export type ExploreOutcome = "ok" | "failed" | "goals-missed" | "error" | "stuck" | "stopped"

/** What came of a program: the record on stdout. */
export interface ExploreResult extends OutputRecord {
  readonly type: "result"
  readonly program: string
  readonly outcome: ExploreOutcome
  readonly runs: number
  readonly ms: number
  readonly message: string | null
}

/** The record of a program. */
export const resultOf = (parts: {
  readonly plan: Search
  readonly searched: Searched
  readonly told: ToldFailure | null
  readonly signal: StopSignal | null
}): ExploreResult => {
  const { plan, searched, told, signal } = parts
  const { stats, failure, coverage, goals, goalsMissed, isComplete, stuck, trouble } = searched
  const outcome = outcomeOf(searched, signal)
  const { runs, ...counts } = stats
  // Of the run that is told, which is the small one if there is one.
  const failedMessage = told?.trace?.end.type === "failed" ? told.trace.end.message : (failure?.message ?? null)
  return {
    type: "result",
    program: plan.program.name,
    outcome,
    message: outcome === "failed" ? failedMessage : messageOf(outcome, searched, signal),
    runs,
    ms: Math.round(searched.elapsedMs),
    seed: plan.seed,
    strategy: plan.strategy,
    workers: plan.workers,
    isUntimed: plan.program.isUntimed,
    ...counts,
    coverage,
    goals,
    goalsMissed,
    isComplete,
    stuck: stuck.map(({ run }) => run),
    trouble: trouble?.tag ?? null,
    failure:
      failure === null
        ? null
        : {
            run: failure.run,
            by: failure.by,
            signature: failure.signature,
            message: failedMessage,
            token: told?.token ?? failure.token,
            nonCalm: nonCalmCount(decodeToken(told?.token ?? failure.token).lists ?? {}),
            isMinimal: told?.small?.isMinimal ?? false,
            shrinkRuns: told?.small?.replays ?? 0,
            trace: told?.path ?? null
          }
  }
}

const outcomeOf = (searched: Searched, signal: StopSignal | null): ExploreOutcome => {
  if (searched.failure !== null) return "failed"
  if (searched.trouble !== null) return "error"
  if (signal !== null) return "stopped"
  if (searched.stuck.length > 0) return "stuck"
  return searched.goalsMissed.length > 0 ? "goals-missed" : "ok"
}

const messageOf = (outcome: ExploreOutcome, searched: Searched, signal: StopSignal | null): string | null => {
  const { trouble, goalsMissed, stats } = searched
  const stuck = searched.stuck.map(({ run }) => run)
  switch (outcome) {
    case "ok":
    case "failed":
      return null
    case "error":
      return trouble?.message ?? null
    case "stopped": {
      const hung = stuck.length === 0 ? "" : `; run ${stuck.join(", ")} did not come back`
      return `stopped by ${signal} after ${stats.runs} runs${hung}${failedBefore(searched) ?? "; nothing found until then"}`
    }
    case "stuck":
      return `${stuckText(stuck)}${failedBefore(searched) ?? ""}`
    case "goals-missed":
      return `${stats.runs} runs never reached ${goalsMissed.map((goal) => JSON.stringify(goal)).join(", ")}${reachedText(searched.goals)}; let them run longer, or make it likelier`
  }
}

/** A failure counts when it came twice. One that did not come back the second time is told all the same. */
const failedBefore = ({ stuck }: Searched): string | null => {
  const [one] = stuck.flatMap(({ run, failed }) => (failed === null ? [] : [{ run, failed }]))
  if (one === undefined) return null
  return `; run ${one.run} had failed, and was being made again to see that it is the same: ${one.failed.split("\n", 1)[0]}`
}

/** A goal that is spelt otherwise in the program is among these. */
const reachedText = (goals: Searched["goals"]): string => {
  const reached = namesReached(goals)
  return reached.length === 0 ? "" : `; they reached ${someNames(reached)}`
}

/** The result in a sentence. */
export const resultText = (result: ExploreResult): string => {
  const { program, outcome, runs, ms, message } = result
  const untimed = result["isUntimed"] === true ? ", untimed" : ""
  const effort = `${runs} runs in ${(ms / 1_000).toFixed(1)} s${untimed}`
  switch (outcome) {
    case "ok":
      return `${program}: nothing found in ${effort}${result["isComplete"] === true ? "; these are all there are" : ""}`
    case "failed":
      return `${program}: FAILED after ${effort}`
    case "stopped":
      return `${program}: ${message}`
    default:
      return `${program}: ${message}`
  }
}

/** The result as a case of JUnit; `text` is what a failure is told with. */
export const junitCase = (result: ExploreResult, text: string | null): JunitCase => {
  const { program: name, outcome, ms, message } = result
  const seconds = ms / 1_000
  const told = message ?? ""
  if (outcome === "ok") return { name, seconds, trouble: null }
  const kind =
    outcome === "stopped" ? "skipped" : outcome === "failed" || outcome === "goals-missed" ? "failure" : "error"
  return { name, seconds, trouble: { kind, message: told, type: outcome, text: text ?? told } }
}
