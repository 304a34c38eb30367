import { copiedBytes } from "../../domain/copied-bytes.ts"
import { makeFifo } from "../../domain/fifo.ts"
import { type FilledTail, makeOutputTail } from "./output-tail.ts"

/**
 * Who reads a piped stream.
 *
 * @since 0.1.0
 * @category processes
 */
export interface OutputReader {
  /** Called in the order of the bytes; `flow` holds more of them back. */
  received(bytes: Uint8Array, flow: OutputFlow): void
  /** Nothing more comes; `problem` says why where that was no end of the stream. */
  ended(problem: string | null): void
}

/** How a reader holds a stream back. Both may be called at any time, also twice. */
export interface OutputFlow {
  pause(): void
  resume(): void
}

/** One output stream: its tail, and whoever reads it. */
export interface ProcessOutput {
  readonly tail: FilledTail
  /** What the machine read. */
  received(bytes: Uint8Array): void
  ended(problem: string | null): void
  hasEnded(): boolean
  /** Gives what has come and what comes to a reader; there can be one. Gives `null` when there is one already. */
  attach(reader: OutputReader): OutputFlow | null
}

/** What turns the reading of a stream on and off. */
export interface OutputTap {
  readonly pause: () => void
  readonly resume: () => void
}

/** A stream that is captured: the tail is all that is kept. @since 0.1.0 @category constructors */
export const makeCapture = (tailBytes: number): ProcessOutput => {
  const tail = makeOutputTail(tailBytes)
  let hasEnded = false
  return {
    tail,
    received: tail.push,
    ended(problem) {
      if (hasEnded) return
      hasEnded = true
      if (problem !== null) tail.fail(problem)
    },
    hasEnded: () => hasEnded,
    attach: () => null
  }
}

/**
 * A stream that somebody reads. Nothing is taken from the process while nobody does, but for what is under way.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makePipe = (tailBytes: number, tap: OutputTap): ProcessOutput => {
  const capture = makeCapture(tailBytes)
  const waiting = makeFifo<Uint8Array>()
  let reader: OutputReader | null = null
  let isPaused = true
  let problem: string | null = null
  let isTold = false
  let isHanding = false

  /** Hands out what waits, unless the reader pauses on the way. A reader that resumes inside of `received` adds no depth. */
  const handOut = (): void => {
    if (isHanding) return
    isHanding = true
    try {
      while (reader !== null && !isPaused) {
        const bytes = waiting.shift()
        if (bytes === undefined) break
        reader.received(bytes, flow)
      }
      if (reader === null || isPaused || isTold || !capture.hasEnded() || waiting.size() > 0) return
      isTold = true
      reader.ended(problem)
    } finally {
      isHanding = false
    }
  }

  const flow: OutputFlow = {
    pause() {
      isPaused = true
      tap.pause()
    },
    resume() {
      isPaused = false
      handOut()
      if (!isPaused) tap.resume()
    }
  }

  return {
    tail: capture.tail,
    received(bytes) {
      capture.received(bytes)
      // The machine may use its memory again.
      waiting.push(copiedBytes(bytes))
      if (isPaused) tap.pause()
      handOut()
    },
    ended(why) {
      if (capture.hasEnded()) return
      problem = why
      capture.ended(why)
      handOut()
    },
    hasEnded: capture.hasEnded,
    attach(next) {
      if (reader !== null) return null
      reader = next
      flow.resume()
      return flow
    }
  }
}
