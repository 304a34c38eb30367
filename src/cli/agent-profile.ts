import { ProfileInvalid } from "../domain/harness-errors.ts"
import type { AgentProfile } from "../harness/profile/agent-profile.ts"
import { loadProfile } from "../harness/profile/load-profile.ts"
import { headlessArguments } from "../harness/profile/program-arguments.ts"
import { liveFiles } from "../live/files.ts"
import type { ParentProcess } from "../ports/parent-process.ts"
import type { AgentAsked } from "./agent-options.ts"

/**
 * The profile that was asked for, if its agent can do what was asked.
 *
 * **Fails** with `ProfileInvalid`
 *
 * @since 0.1.0
 * @category constructors
 */
export const profileFor = async (
  asked: AgentAsked,
  { parent }: { readonly parent: ParentProcess }
): Promise<AgentProfile> => {
  const profile = await loadProfile(asked.profile, { parent, files: liveFiles })
  if (asked.isAcp) checkAcp(profile, asked)
  else checkHeadless(profile, asked)
  return profile
}

const checkAcp = ({ displayName, acp, headless }: AgentProfile, { model }: AgentAsked): void => {
  if (acp === null) {
    const advice = headless === null ? "" : "; leave out --acp, and give --prompt TEXT"
    throw new ProfileInvalid(`${displayName} does not speak ACP${advice}`, { field: "acp" })
  }
  if (model !== undefined && acp.modelSelection === "none") {
    throw new ProfileInvalid(`${displayName} is given no model over ACP; leave out --model`, {
      field: "acp.modelSelection"
    })
  }
}

const checkHeadless = (profile: AgentProfile, { prompt, format, model }: AgentAsked): void => {
  if (profile.headless === null) {
    throw new ProfileInvalid(`${profile.displayName} has no headless mode; add --acp`, { field: "headless" })
  }
  headlessArguments(profile, {
    prompt: prompt ?? "",
    cwd: "",
    ...(format === undefined ? {} : { format }),
    ...(model === undefined ? {} : { model })
  })
}
