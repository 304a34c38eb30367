/** So much is shown of what a process wrote to one stream: its end. */
const tailMax = 2_000

/** Lines of what a process wrote stand this deep in diagnostics. */
const isWritten = (line: string): boolean => line.startsWith("    ")

/**
 * Diagnostics as the message of an error shows them: of what was written to each stream the end alone. A terminal is of no use to
 * anybody who has to scroll through 64 KiB before the sentence that says what went wrong.
 *
 * @since 0.1.0
 * @category errors
 */
export const shortDiagnostics = (diagnostics: string): string => {
  const shown: Array<string> = []
  let written: Array<string> = []
  const endTail = (): void => {
    shown.push(...shortTail(written))
    written = []
  }
  for (const line of diagnostics.split("\n")) {
    if (isWritten(line)) written.push(line)
    else {
      endTail()
      shown.push(line)
    }
  }
  endTail()
  return shown.join("\n")
}

const shortTail = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const text = lines.join("\n")
  if (text.length <= tailMax) return lines
  // Half a character is none.
  const end = text.slice(-tailMax).replace(/^[\uDC00-\uDFFF]/, "")
  return [`    (${text.length - end.length} characters before this are in "diagnostics")`, `    ${end.trimStart()}`]
}
