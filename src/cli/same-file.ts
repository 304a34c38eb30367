import { realpathSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"

/**
 * Whether two paths name one file, also through links; the file need not be there. Which file a link to nothing will make, and whether
 * two spellings are one name here, is known when it is there.
 *
 * @since 0.1.0
 * @category guards
 */
export const isSameFile = (one: string, other: string): boolean =>
  placeOf(one) === placeOf(other) || isOneThing(one, other)

/** Whether both are there, and one: a file may have several names. */
const isOneThing = (one: string, other: string): boolean => {
  const [first, second] = [thingAt(one), thingAt(other)]
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev
}

const thingAt = (path: string) => {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    // Whoever opens it says what is wrong.
    return undefined
  }
}

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
