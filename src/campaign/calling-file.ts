import { fileURLToPath } from "node:url"

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
  const at: { stack?: string } = {}
  Error.captureStackTrace(at, below)
  const line = at.stack?.split("\n")[1]?.trim() ?? ""
  const place = /\(?((?:file:\/\/)?[^()\s]+):\d+:\d+\)?$/.exec(line)?.[1]
  if (place === undefined) return null
  return place.startsWith("file://") ? fileURLToPath(place) : place
}
