/**
 * The place that called a function, as the stack names it: file, line and column.
 *
 * **Takes** the function; frames above it are left out
 * **Gives** `null` where the stack does not say
 *
 * @since 0.1.0
 * @category errors
 */
export const callingPlace = (below: (...given: never) => unknown): string | null => {
  const at: { stack?: string } = {}
  Error.captureStackTrace(at, below)
  const line = at.stack?.split("\n")[1]?.trim() ?? ""
  return /\(?((?:file:\/\/)?[^()\s]+:\d+:\d+)\)?$/.exec(line)?.[1] ?? null
}
