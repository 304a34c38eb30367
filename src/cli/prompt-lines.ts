import type { Readable } from "node:stream"
import { readLines } from "./read-lines.ts"

/**
 * Lines that a person types, or that come from a pipe, taken one at a time.
 *
 * @since 0.1.0
 * @category services
 */
export interface PromptLines {
  /** The next line, without its end; `null` when there is none any more, or when the signal says that nobody wants it. */
  next(signal?: AbortSignal): Promise<string | null>
  /** Reads no more, and destroys the stream. */
  close(): void
}

/** So many lines are read before somebody asks for them, and so long they may be. */
const aheadMax = 64
export const promptLengthMax = 1_048_576

/**
 * **Takes** `tooLong`: told of each line that is longer than 1,048,576 characters, which is dropped
 *
 * @since 0.1.0
 * @category constructors
 */
export const readPromptLines = (stream: Readable, tooLong: () => void): PromptLines => {
  const lines: Array<string> = []
  const waiting: Array<(line: string | null) => void> = []
  let hasEnded = false

  const give = (line: string): void => {
    const taker = waiting.shift()
    if (taker !== undefined) taker(line)
    else lines.push(line)
    if (lines.length >= aheadMax) stream.pause()
  }
  const ended = (rest: string): void => {
    hasEnded = true
    if (rest !== "") give(rest)
    for (const taker of waiting.splice(0)) taker(null)
  }
  const close = readLines(stream, give, { lengthMax: promptLengthMax, tooLong, ended })
  return {
    next(signal) {
      const line = lines.shift()
      if (lines.length < aheadMax) stream.resume()
      if (line !== undefined || hasEnded || signal?.aborted === true) return Promise.resolve(line ?? null)
      return new Promise((resolve) => {
        const leave = (): void => {
          waiting.splice(waiting.indexOf(take), 1)
          resolve(null)
        }
        const take = (given: string | null): void => {
          signal?.removeEventListener("abort", leave)
          resolve(given)
        }
        signal?.addEventListener("abort", leave, { once: true })
        waiting.push(take)
      })
    },
    close
  }
}
