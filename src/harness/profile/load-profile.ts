import { FileFailure } from "../../domain/file-failure.ts"
import { filePathsOf } from "../../domain/file-paths.ts"
import { ProfileInvalid } from "../../domain/harness-errors.ts"
import { checkOption, someText } from "../../domain/option-checks.ts"
import type { FilePort } from "../../ports/file-port.ts"
import type { ParentProcess } from "../../ports/parent-process.ts"
import type { AgentProfile } from "./agent-profile.ts"
import { builtInProfile } from "./built-in-profiles.ts"
import { readProfileText } from "./read-profile.ts"

/** A larger file is refused. */
export const profileBytesMax = 4 * 1024 * 1024

/**
 * A profile by its name: the id of a built-in one, or the path of a JSON file, which ends in `.json` or holds a separator.
 *
 * **Fails** with `ProfileInvalid`; the message begins with the path; with `InvalidOption` for what is no text
 * **Source** agent-harness.md, section 1.1
 *
 * @since 0.1.0
 * @category constructors
 */
export const loadProfile = async (
  name: string,
  { parent, files }: { readonly parent: ParentProcess; readonly files: FilePort }
): Promise<AgentProfile> => {
  checkOption(someText, name, "the name of the profile")
  if (!/[\\/]|\.json$/i.test(name)) return builtInProfile(name)
  const path = filePathsOf(parent.platform).resolve(parent.cwd, name)
  const refuse = (reason: string): never => {
    throw new ProfileInvalid(`${name} could not be read: ${reason}`, { field: "" })
  }
  try {
    // A pipe that nobody writes to would never end, and a device neither.
    const kind = (await files.stat(path))?.kind
    if (kind === "folder") return refuse("it is a folder; give a file")
    if (kind === "other") return refuse("it is a pipe, a socket or a device; give a file")
    const bytes = await files.readStart(path, profileBytesMax + 1)
    if (bytes.length > profileBytesMax) return refuse(`it is larger than ${profileBytesMax} bytes`)
    return readProfileText(new TextDecoder().decode(bytes), { name })
  } catch (error) {
    if (!(error instanceof FileFailure)) throw error
    throw new ProfileInvalid(`${name} could not be read: ${error.message}`, { field: "", cause: error })
  }
}
