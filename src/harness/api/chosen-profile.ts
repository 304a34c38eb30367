import { InvalidOption } from "../../domain/errors.ts"
import { describe, member } from "../../domain/json.ts"
import type { FilePort } from "../../ports/file-port.ts"
import type { ParentProcess } from "../../ports/parent-process.ts"
import type { AgentProfile } from "../profile/agent-profile.ts"
import { loadProfile } from "../profile/load-profile.ts"
import { plainProfile } from "../sandbox/sandbox.ts"
import type { ProfileChoice } from "./api-options.ts"

/**
 * The profile that was chosen, by name or as it is.
 *
 * **Fails** with `ProfileInvalid`; with `InvalidOption` for what is neither a name nor a profile that was read
 *
 * @since 0.1.0
 * @category constructors
 */
export const chosenProfile = async (
  choice: ProfileChoice,
  world: { readonly parent: ParentProcess; readonly files: FilePort }
): Promise<AgentProfile> => {
  if (typeof choice === "string") return loadProfile(choice, world)
  // What `readProfile` gives has all members, whatever was left out.
  if (Object.keys(plainProfile).every((name) => member(choice, name) !== undefined)) return choice
  throw new InvalidOption(
    `profile is ${describe(choice)}; give the id of a built-in one, the path of a JSON file, or what readProfile gives`
  )
}
