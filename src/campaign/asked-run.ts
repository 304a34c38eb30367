import { decodeToken } from "../explore/replay-token.ts"
import { RunDiverged } from "../explore/run-diverged.ts"
import type { RunSync } from "../supervisor/lifetime.ts"
import type { CampaignOptions, SimProgram } from "./campaign.ts"
import { type CampaignParts, replayOnce } from "./run-campaign.ts"

/**
 * Makes the run that `SIM_REPLAY` asks for, before a search that is no simulated test: a token of one bears its name, and is
 * for that test alone. Where the program does not make the choices of the token it is one of another program, and nothing happens.
 *
 * **Fails** with `SimFailed` as the run failed, `InvalidToken`
 *
 * @since 0.1.0
 * @category replaying
 */
export const makeAskedRun = async (
  body: SimProgram,
  options: CampaignOptions,
  runSync: RunSync,
  { env, ...parts }: CampaignParts & { readonly env: Readonly<Record<string, string | undefined>> }
): Promise<void> => {
  const token = env["SIM_REPLAY"] ?? ""
  if (token === "" || decodeToken(token).test !== null) return
  try {
    await replayOnce(body, { ...options, token }, runSync, parts)
  } catch (error) {
    if (!(error instanceof RunDiverged)) throw error
  }
}
