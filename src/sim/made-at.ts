/** Our own files: all of a bundle, or of the sources. */
const own = new URL(".", import.meta.url).href.replace(/\/src\/sim\/$/, "/src/").replace(/^file:\/\//, "")

/** Deep enough to come out of a client that is called by a program. */
const framesMax = 30

/**
 * The place in the program, or in a client, from which our code was called: file, line and column.
 *
 * **Gives** `null` where the stack does not say
 */
export const madeAt = (): string | null => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = framesMax
  const lines = new Error().stack?.split("\n").slice(1) ?? []
  Error.stackTraceLimit = stackTraceLimit
  for (const line of lines) {
    const place = /\(?((?:file:\/\/)?[^()\s]+:\d+:\d+)\)?$/.exec(line.trim())?.[1]?.replace(/^file:\/\//, "")
    if (place !== undefined && !place.startsWith(own) && !place.startsWith("node:")) return place
  }
  return null
}
