import type { TraceEvent } from "../domain/trace-event.ts"
import type { Trace } from "../kernel/trace.ts"
import type { ServerEnd } from "./make-handle.ts"

/** A reader that falls behind by more events than this gets an error instead of silence about what it missed. */
export const streamedEventsMax = 8_192

/**
 * The events of a server as they happen, from the call on; ends when the server has closed.
 *
 * **Fails** in the reader with an error when it is more than `streamedEventsMax` events behind
 *
 * @since 0.1.0
 * @category traces
 */
export const traceStream = (trace: Trace, end: ServerEnd): AsyncIterableIterator<TraceEvent> => {
  const waiting: Array<TraceEvent> = []
  let isOver = end.isClosed()
  let isBehind = false
  let wake = (): void => {}
  const stopWatching = trace.watch((event) => {
    if (waiting.length < streamedEventsMax) waiting.push(event)
    else isBehind = true
    wake()
  })
  const stopWaiting = end.onClosed(() => {
    isOver = true
    wake()
  })
  const finish = (): void => {
    isOver = true
    stopWatching()
    stopWaiting()
    wake()
  }
  const take = async (): Promise<IteratorResult<TraceEvent>> => {
    for (;;) {
      const event = waiting.shift()
      if (event !== undefined) return { done: false, value: event }
      if (isBehind) {
        finish()
        throw new Error(
          `the reader of the trace is more than ${streamedEventsMax} events behind; read faster or filter`
        )
      }
      if (isOver) {
        finish()
        return { done: true, value: undefined }
      }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  // Readers that ask at once are served in the order in which they asked.
  let reading: Promise<unknown> = Promise.resolve()
  const next = (): Promise<IteratorResult<TraceEvent>> => {
    const taken = reading.then(take)
    reading = taken.catch(() => {})
    return taken
  }
  return {
    next,
    async return() {
      waiting.length = 0
      finish()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    }
  }
}
