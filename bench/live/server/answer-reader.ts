import { problemOf } from "./check-answer.ts"
import type { ExchangeKind } from "./exchanges.ts"

/** Reads the answers of one connection, one behind the other. */
export interface AnswerReader {
  /** Gives whether an answer is complete with these bytes. **Fails** when it is wrong */
  take(bytes: Buffer): boolean
}

/** The body that was found right last, as it was written; shared by connections, for most servers answer everybody the same. */
export interface RightBody {
  text: string
}

const headEnd = "\r\n\r\n"
const chunkedEnd = "0\r\n\r\n"

/**
 * Reads answers with a length or in chunks. A body that is the same as one that was found right before is right; every other one is read.
 */
export const answerReader = (kind: ExchangeKind, right: RightBody): AnswerReader => {
  let text = ""
  /** Where the body begins, once that is known, and what it will have; `null` for chunks. */
  let bodyAt = -1
  let bodyLength: number | null = null

  const readHead = (): void => {
    const end = text.indexOf(headEnd)
    if (end < 0) return
    const head = text.slice(0, end)
    if (!head.startsWith("HTTP/1.1 200 ")) throw new Error(`the answer is ${text.slice(0, 300)}`)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    bodyAt = end + headEnd.length
    bodyLength = length === undefined ? null : Number(length)
  }

  return {
    take(bytes) {
      // The texts of these answers have no letters beyond ASCII.
      text += bytes.toString("latin1")
      if (bodyAt < 0) readHead()
      if (bodyAt < 0) return false
      if (bodyLength === null ? !text.endsWith(chunkedEnd) : text.length < bodyAt + bodyLength) return false
      const body = text.slice(bodyAt)
      if (body !== right.text) {
        const plain = bodyLength === null ? unchunked(body) : body
        if (plain === null) return false
        const problem = problemOf(kind, plain)
        if (problem !== null) throw new Error(problem)
        right.text = body
      }
      text = ""
      bodyAt = -1
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
