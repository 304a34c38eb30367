import type { Readable } from "node:stream"

/** A longer line is no command; it is dropped, so that a stream without line ends fills no memory. */
export const lineLengthMax = 64 * 1024

/**
 * Calls `see` for each line of a stream, without its end.
 *
 * **Takes** `lengthMax`: a longer line is dropped, and `tooLong` is told; `ended`: told once of the end of the stream, which a failure
 * is as well, with what stood behind the last end of a line and was not too long
 * **Gives** a function that stops reading and destroys the stream
 *
 * @since 0.1.0
 * @category services
 */
export const readLines = (
  stream: Readable,
  see: (line: string) => void,
  { lengthMax = lineLengthMax, tooLong = ignore, ended = ignore }: LineOptions = {}
): (() => void) => {
  let rest = ""
  let isTooLong = false
  let hasEnded = false
  const end = (): void => {
    if (!hasEnded) ended(isTooLong ? "" : rest)
    hasEnded = true
  }
  stream.setEncoding("utf8")
  for (const way of ["error", "end", "close"]) stream.on(way, end)
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      if (!isTooLong) see(line.replace(/\r$/, ""))
      isTooLong = false
    }
    if (rest.length > lengthMax) {
      if (!isTooLong) tooLong()
      rest = ""
      isTooLong = true
    }
  })
  return () => {
    stream.removeAllListeners("data")
    stream.destroy()
    end()
  }
}

interface LineOptions {
  readonly lengthMax?: number
  readonly tooLong?: () => void
  readonly ended?: (rest: string) => void
}

const ignore = (): void => {}
