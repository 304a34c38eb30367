import { existsSync } from "node:fs"
import { InvalidOption } from "../domain/errors.ts"
import { builtInProfile, builtInProfiles } from "../faults/chance/built-in-profiles.ts"
import type { IncidenceProfile } from "../faults/chance/profile.ts"
import { readProfile } from "../faults/chance/read-profile.ts"

/**
 * The profile that `--profile` names: a built-in one, or a JSON file.
 *
 * **Gives** `null` when the option was not given
 * **Fails** with `InvalidOption`, naming file and member
 *
 * @since 0.1.0
 * @category encoding
 */
export const readProfileOption = async (name: string | undefined): Promise<IncidenceProfile | null> => {
  if (name === undefined) return null
  if (builtInProfiles.has(name)) return builtInProfile(name)
  const isFile = /[\\/.]/.test(name) || existsSync(name)
  try {
    if (!isFile) return builtInProfile(name)
    const { readJsonFile } = await import("./faults-file.ts")
    return readProfile(readJsonFile(name))
  } catch (error) {
    if (!(error instanceof InvalidOption)) throw error
    const place = isFile && error.message.startsWith("profile") ? `${name}: ` : ""
    const advice = isFile ? "" : ", or give the path of a JSON file"
    throw new InvalidOption(`--profile: ${place}${error.message}${advice}`)
  }
}
