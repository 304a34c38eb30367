import type { Readable } from "node:stream"

/** A longer line is no command; it is dropped, so that a stream without line ends fills no memory. */
export const lineLengthMax = 64 * 1024

/**
 * Calls `see` for each line of a stream, without its end. The end of the stream and its failures say nothing.
 *
 * **Gives** a function that stops reading and destroys the stream
 *
 * @since 0.1.0
 * @category services
 */
export const readLines = (stream: Readable, see: (line: string) => void): (() => void) => {
  let rest = ""
  let isTooLong = false
  stream.setEncoding("utf8")
  stream.on("error", () => {})
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      if (!isTooLong) see(line.replace(/\r$/, ""))
      isTooLong = false
    }
    if (rest.length > lineLengthMax) {
      rest = ""
      isTooLong = true
    }
  })
  return () => {
    stream.removeAllListeners("data")
    stream.destroy()
  }
}
