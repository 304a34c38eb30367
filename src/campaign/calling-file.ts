import { fileURLToPath } from "node:url"
import { callingPlace } from "../domain/calling-place.ts"

/**
 * The file that called a function.
 *
 * **Takes** the function; frames above it are left out
 * **Gives** `null` where the stack does not say
 *
 * @since 0.1.0
 * @category running
 */
export const callingFile = (below: (...given: never) => unknown): string | null => {
  const file = callingPlace(below)?.replace(/:\d+:\d+$/, "") ?? null
  return file?.startsWith("file://") === true ? fileURLToPath(file) : file
}
