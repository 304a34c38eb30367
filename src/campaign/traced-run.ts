import type { Outcome } from "../explore/outcome.ts"
import { OracleViolated } from "../oracles/violation.ts"
import { gatherSteps } from "../report/gather-steps.ts"
import type { TracedStep } from "../report/run-trace.ts"
import { withBroken } from "./broken-laws.ts"
import type { SeenRun } from "./explore-world.ts"
import type { ReplayedRun, ThrownError } from "./sim-worker.ts"
import { userFrames } from "./user-frames.ts"

/** The steps of a run with what is known of them. */
export const stepsOf = ({ kernel, details }: SeenRun): ReadonlyArray<TracedStep> =>
  gatherSteps(kernel.steps(), { draws: kernel.draws, details: details() })

/** How a run ended, as its trace says it. */
export const endOf = (
  outcome: Outcome,
  { token, run }: { readonly token: string; readonly run: SeenRun | null }
): ReplayedRun["end"] => {
  const hash = outcome.hash ?? null
  if (outcome.type === "ok") return { type: "ok", hash, token }
  const { signature, message } = outcome
  const oracle = run?.error instanceof OracleViolated ? (run.error.violations[0]?.oracle ?? null) : null
  const told = withBroken(message, run)
  return { type: "failed", hash, token, oracle, signature, message: told, failedAt: run?.failedAt ?? [] }
}

/** So many frames of a stack are told. */
const framesMax = 6

/** Where an error was thrown: frames of Node and of this package say nothing to people. */
export const stackOf = (error: unknown): string | null => {
  if (!(error instanceof Error) || error.stack === undefined) return null
  const frames = userFrames(error.stack)
  return frames.length === 0 ? null : frames.slice(0, framesMax).join("\n")
}

/** What was thrown, as data; `null` when it is no error. */
export const thrownOf = (error: unknown): ThrownError | null => {
  if (!(error instanceof Error)) return null
  const { name, message, stack = "" } = error
  return { name, message, stack, tag: "_tag" in error && typeof error._tag === "string" ? error._tag : null }
}
