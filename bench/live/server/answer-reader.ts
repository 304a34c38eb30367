import { problemOf } from "./check-answer.ts"
import type { ExchangeKind } from "./exchanges.ts"

/** Reads the answers of one connection, one behind the other. */
export interface AnswerReader {
  /** Gives whether an answer is complete with these bytes, which may be overwritten afterwards. **Fails** when it is wrong */
  take(bytes: Buffer): boolean
}

/** The answer that was found right last, as it was written; shared by connections, for most servers answer everybody the same. */
export interface RightAnswer {
  bytes: Buffer
}

const headEnd = "\r\n\r\n"
const chunkedEnd = "0\r\n\r\n"

/**
 * Reads answers with a length or in chunks. One that is the same as one that was found right before is right, and costs next to nothing: who
 * asks must not be slower than who answers. Every other one is read.
 */
export const answerReader = (kind: ExchangeKind, right: RightAnswer): AnswerReader => {
  /** So many bytes are the same as those of the right one; `null` where it is another one, of which there is this text. */
  let same: number | null = 0
  let text = ""

  const isSame = (bytes: Buffer, at: number): boolean =>
    at + bytes.length <= right.bytes.length && right.bytes.compare(bytes, 0, bytes.length, at, at + bytes.length) === 0

  const isWhole = (): boolean => {
    const end = text.indexOf(headEnd)
    if (end < 0) return false
    const head = text.slice(0, end)
    if (!head.startsWith("HTTP/1.1 200 ")) throw new Error(`the answer is ${text.slice(0, 300)}`)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    const bodyAt = end + headEnd.length
    const isThere = length === undefined ? text.endsWith(chunkedEnd) : text.length >= bodyAt + Number(length)
    if (!isThere) return false
    const body = text.slice(bodyAt)
    const plain = length === undefined ? unchunked(body) : body
    if (plain === null) return false
    const problem = problemOf(kind, plain)
    if (problem !== null) throw new Error(problem)
    return true
  }

  return {
    take(bytes) {
      if (same !== null) {
        if (isSame(bytes, same)) {
          same += bytes.length
          if (same < right.bytes.length) return false
          same = 0
          return true
        }
        text = right.bytes.toString("latin1", 0, same)
        same = null
      }
      // The texts of these answers have no letters beyond ASCII.
      text += bytes.toString("latin1")
      if (!isWhole()) return false
      right.bytes = Buffer.from(text, "latin1")
      text = ""
      same = 0
      return true
    }
  }
}

/** `null` when the last chunk has not come. */
const unchunked = (body: string): string | null => {
  let text = ""
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf("\r\n", at)
    if (lineEnd < 0) return null
    const length = Number.parseInt(body.slice(at, lineEnd), 16)
    if (Number.isNaN(length)) throw new Error(`a chunk begins with ${JSON.stringify(body.slice(at, at + 20))}`)
    const from = lineEnd + 2
    if (from + length + 2 > body.length) return null
    if (length === 0) return text
    text += body.slice(from, from + length)
    at = from + length + 2
  }
}
