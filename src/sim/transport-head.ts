/** The beginning of a message of HTTP/1.1: its first line, `name, value, name, value`, and what came behind it. */
export interface MessageHead {
  readonly line: string
  readonly headers: ReadonlyArray<string>
  readonly rest: Uint8Array
}

/** Reads heads, one after the other. */
export interface HeadReader {
  /** Takes what came; `null` until a head is whole, `bad` when this is none. */
  read(piece: Uint8Array): MessageHead | "bad" | null
}

/** Longer ones are no heads. */
const bytesMax = 128 * 1024

/**
 * A reader of heads that has its answer at once. The parsers of Node have theirs some ticks later, or are no part of its public
 * API; what a client makes of a strange head is seen by what it does with its connection.
 *
 * **Source** RFC 9112, section 2
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeHeadReader = (): HeadReader => {
  const headEnd = /\r?\n\r?\n/g
  let text = ""
  return {
    read(piece) {
      // What was looked through before can only be the first half of an end.
      headEnd.lastIndex = Math.max(0, text.length - endLength)
      // A character is a byte, so that places in the text are places in the bytes.
      text += Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("latin1")
      if (text.startsWith("\r") || text.startsWith("\n")) {
        text = text.replace(/^[\r\n]+/, "")
        headEnd.lastIndex = 0
      }
      const end = headEnd.exec(text)
      if (end === null) return text.length > bytesMax || isOther(text) ? "bad" : null
      const [line = "", ...lines] = text.slice(0, end.index).split(/\r?\n/)
      const left = text.length - end.index - end[0].length
      text = ""
      return { line, headers: lines.flatMap(headerOf), rest: piece.subarray(piece.byteLength - left) }
    }
  }
}

const endLength = 4

/** So long is no first line that is one of HTTP. */
const lineMax = 16 * 1024

/** What has no line of HTTP at its beginning is something else, and nothing to wait for. */
const isOther = (text: string): boolean => {
  const line = text.slice(0, lineMax).split("\n", 1)[0] ?? ""
  return line.length < Math.min(text.length, lineMax) && !/ HTTP\/1\.[01]\r?$|^HTTP\/1\.[01] /.test(line)
}

const headerOf = (line: string): ReadonlyArray<string> => {
  const at = line.indexOf(":")
  return at < 0 ? [] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
}
