import { Effect } from "effect"
import type { CampaignOptions, SimProgram } from "../../src/campaign/campaign.ts"
import { exploreWorld, replayWorld } from "../../src/campaign/explore-world.ts"
import { endOf, stepsOf } from "../../src/campaign/traced-run.ts"
import type { RunTrace } from "../../src/report/run-trace.ts"
import { failedTrace } from "../report/many-steps.ts"

/** The trace of the smallest run of a program that fails. */
export const failing = async (body: SimProgram, options: CampaignOptions = {}): Promise<RunTrace> => {
  const { failure } = await exploreWorld(body, options, Effect.runSync)
  const { token = "" } = failure ?? {}
  const { outcome, run } = await replayWorld(body, { ...options, token }, Effect.runSync)
  if (run === null) throw new Error("the run did not fail")
  return { ...failedTrace([]), end: endOf(outcome, { token, run }), steps: stepsOf(run) }
}
