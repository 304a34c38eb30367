import { realpathSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"

/**
 * Whether two paths name one file, also through links; the file need not be there.
 *
 * @since 0.1.0
 * @category guards
 */
export const isSameFile = (one: string, other: string): boolean => placeOf(one) === placeOf(other)

const placeOf = (path: string): string => {
  const full = resolve(path)
  return realOf(full) ?? join(realOf(dirname(full)) ?? dirname(full), basename(full))
}

/** `null` where there is nothing, or nobody may look. */
const realOf = (path: string): string | null => {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}
