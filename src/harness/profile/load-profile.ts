import { FileFailure } from "../../domain/file-failure.ts"
import { filePathsOf } from "../../domain/file-paths.ts"
import { ProfileInvalid } from "../../domain/harness-errors.ts"
import type { FilePort } from "../../ports/file-port.ts"
import type { ParentProcess } from "../../ports/parent-process.ts"
import type { AgentProfile } from "./agent-profile.ts"
import { builtInProfile } from "./built-in-profiles.ts"
import { readProfileText } from "./read-profile.ts"

/**
 * A profile by its name: the id of a built-in one, or the path of a JSON file, which ends in `.json` or holds a separator.
 *
 * **Fails** with `ProfileInvalid`; the message begins with the path
 * **Source** agent-harness.md, section 1.1
 *
 * @since 0.1.0
 * @category constructors
 */
export const loadProfile = async (
  name: string,
  { parent, files }: { readonly parent: ParentProcess; readonly files: FilePort }
): Promise<AgentProfile> => {
  if (!/[\\/]|\.json$/i.test(name)) return builtInProfile(name)
  const path = filePathsOf(parent.platform).resolve(parent.cwd, name)
  const text = await files.readText(path).catch((error) => {
    if (!(error instanceof FileFailure)) throw error
    throw new ProfileInvalid(`${name} could not be read: ${error.message}`, { field: "", cause: error })
  })
  return readProfileText(text, { name })
}
