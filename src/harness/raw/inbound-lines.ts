import { makeFifo } from "../../domain/fifo.ts"
import { unreadBytesMax, unreadLinesMax } from "../../domain/raw-limits.ts"
import { type Line, lineBytesMax, lineSplitter } from "../../wire/acp/line-splitter.ts"
import type { OutputFlow, OutputReader } from "../process/process-output.ts"

/** Why nothing more comes: the output ended, reading it failed, or a line became too long. */
export type LinesEnd =
  | { readonly kind: "ended" }
  | { readonly kind: "failed"; readonly problem: string }
  | { readonly kind: "overflow"; readonly limit: number; readonly length: number }

/**
 * The lines of an agent that nobody has read yet. While nobody reads, no more than 1,024 of them or 8 MiB are taken in: the agent
 * has to wait.
 *
 * **Source** agent-harness.md, sections 3.3, 3.7 and 7.2
 */
export interface InboundLines extends OutputReader {
  /** Takes the next line out. */
  shift(): Line | undefined
  /** Why nothing more comes; `null` while something may, or lines are left. */
  end(): LinesEnd | null
  /** The same, whatever is left to be read. */
  outputEnd(): LinesEnd | null
  /** Somebody reads, or stops to. */
  setReading(isReading: boolean): void
  /** Its process has ended: what is still in its pipe may come in, up to the longest line. */
  processEnded(): void
  /** Nobody will read any more: what comes is dropped. */
  drop(): void
}

/** @since 0.1.0 @category constructors */
export const makeInboundLines = (told: {
  /** Lines have come, or nothing more comes. */
  readonly arrived: () => void
  readonly line: (line: Line) => void
  readonly overflowed: () => void
  readonly bytesMax?: number
}): InboundLines => {
  const { bytesMax = lineBytesMax } = told
  const splitter = lineSplitter(bytesMax)
  const waiting = makeFifo<Line>()
  let unreadBytes = 0
  let unreadMax = unreadBytesMax
  let linesMax = unreadLinesMax
  let isReading = false
  let isDropped = false
  let over: LinesEnd | null = null
  let flow: OutputFlow | null = null
  let isHeld = false

  const holdOrGoOn = (): void => {
    const isFull = waiting.size() > linesMax || unreadBytes > unreadMax
    const shouldHold = !isReading && !isDropped && over === null && isFull
    if (shouldHold === isHeld) return
    isHeld = shouldHold
    if (shouldHold) flow?.pause()
    else flow?.resume()
  }

  const take = (line: Line): void => {
    told.line(line)
    waiting.push(line)
  }

  return {
    received(bytes, from) {
      flow = from
      if (isDropped || over !== null) return
      const { lines, overflow } = splitter.push(bytes)
      unreadBytes += bytes.byteLength
      for (const line of lines) take(line)
      if (overflow !== null) {
        over = { kind: "overflow", limit: bytesMax, length: overflow }
        told.overflowed()
      }
      holdOrGoOn()
      told.arrived()
    },
    ended(problem) {
      if (isDropped || over !== null) return
      const last = splitter.end()
      if (last !== null) take(last)
      over = problem === null ? { kind: "ended" } : { kind: "failed", problem }
      told.arrived()
    },
    shift() {
      const line = waiting.shift()
      if (line !== undefined) unreadBytes -= line.bytes.byteLength
      return line
    },
    end: () => (waiting.size() === 0 ? over : null),
    outputEnd: () => over,
    setReading(next) {
      isReading = next
      holdOrGoOn()
    },
    processEnded() {
      unreadMax = lineBytesMax
      linesMax = Number.POSITIVE_INFINITY
      holdOrGoOn()
    },
    drop() {
      isDropped = true
      for (let line = waiting.shift(); line !== undefined; ) line = waiting.shift()
      unreadBytes = 0
      holdOrGoOn()
    }
  }
}
