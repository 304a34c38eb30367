import { checkGoals } from "../explore/explore-runs.ts"
import { decodeToken } from "../explore/replay-token.ts"
import { whileFenced } from "../sim/fence.ts"
import type { RunSync } from "../supervisor/lifetime.ts"
import type { Campaign, CampaignOptions, SimProgram } from "./campaign.ts"
import { exploreWorld, replayWorld } from "./explore-world.ts"
import { failureText } from "./failure-text.ts"
import { SimFailed } from "./sim-failed.ts"

/**
 * Explores a program; a failure is told with its smallest run.
 *
 * **Fails** with `SimFailed`, with `GoalsMissed` when a named situation was never reached, with `NotDeterministic`, with
 * `FenceRefused` when other fake timers are active
 *
 * @since 0.1.0
 * @category exploring
 */
export const runCampaign = (body: SimProgram, options: CampaignOptions, runSync: RunSync): Promise<Campaign> =>
  whileFenced(async () => {
    const { failure, ...found } = await exploreWorld(body, options, runSync)
    if (failure !== null)
      throw await toldFailure(body, { ...options, token: failure.token, foundInRun: failure.index }, runSync)
    checkGoals({ failure, ...found })
    return found
  })

/**
 * Runs one run of a program again, and fails as it failed.
 *
 * **Fails** with `SimFailed`, `InvalidToken`; with `SimFailed` also when the run passes but is another one now
 *
 * @since 0.1.0
 * @category replaying
 */
export const replayOnce = async (
  body: SimProgram,
  options: CampaignOptions & { readonly token: string },
  runSync: RunSync
): Promise<void> => {
  const { token } = options
  decodeToken(token)
  const { outcome, run } = await whileFenced(() => replayWorld(body, options, runSync))
  if (outcome.type === "ok") return
  throw new SimFailed(failureText({ message: outcome.message, token, foundInRun: null, run }), {
    token,
    cause: run?.error
  })
}

const toldFailure = async (
  body: SimProgram,
  options: CampaignOptions & { readonly token: string; readonly foundInRun: number },
  runSync: RunSync
): Promise<SimFailed> => {
  const { token, foundInRun } = options
  const { outcome, run } = await replayWorld(body, options, runSync)
  const message = outcome.type === "failed" ? outcome.message : "the run failed, and passes when it is made again"
  return new SimFailed(failureText({ message, token, foundInRun, run }), { token, cause: run?.error })
}
