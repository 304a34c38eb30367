import type { TraceEvent } from "../domain/trace-event.ts"
import type { Trace } from "../kernel/trace.ts"
import type { ServerEnd } from "./make-handle.ts"

/** A reader that falls behind by more events than this gets an error instead of silence about what it missed. */
export const streamedEventsMax = 8_192

/** The same in bytes, estimated as in the trace: 64 for each event and the length of its texts. */
export const streamedBytesMax = 4 * 1024 * 1024

/**
 * The events of a server as they happen, from the call on; ends when the server has closed.
 *
 * **Fails** in the reader with an error when it is more than `streamedEventsMax` events or `streamedBytesMax` bytes behind
 *
 * @since 0.1.0
 * @category traces
 */
export const traceStream = (trace: Trace, end: ServerEnd): AsyncIterableIterator<TraceEvent> => {
  const waiting: Array<TraceEvent> = []
  let isOver = end.isClosed()
  let bytes = 0
  let behind: string | null = null
  let wake = (): void => {}
  const stopWatching = trace.watch((event) => {
    behind = tooMuch(waiting.length + 1, bytes + sizeOf(event))
    if (behind === null) {
      waiting.push(event)
      bytes += sizeOf(event)
    } else stopWatching() // What came after the gap would look as if nothing were missing.
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
      if (event !== undefined) {
        bytes -= sizeOf(event)
        return { done: false, value: event }
      }
      if (behind !== null) {
        finish()
        throw new Error(`the reader of the trace is more than ${behind} behind; read faster or filter`)
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
      behind = null
      finish()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    }
  }
}

/** The bound that a backlog passes, in words. One event is never too much. */
const tooMuch = (events: number, bytes: number): string | null => {
  if (events > streamedEventsMax) return `${streamedEventsMax} events`
  return events > 1 && bytes > streamedBytesMax ? `${streamedBytesMax} bytes` : null
}

const sizeOf = (event: TraceEvent): number =>
  Object.values(event)
    .flat()
    .reduce((sum, value) => (typeof value === "string" ? sum + value.length : sum), 64)
