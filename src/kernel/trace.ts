import type { TraceEvent, TraceFact } from "../domain/trace-event.ts"
import type { Clock } from "./clock.ts"

/**
 * The ordered record of everything that happened: the newest events are kept, all are handed to the watchers.
 *
 * @since 0.1.0
 * @category traces
 */
export interface Trace {
  record(fact: TraceFact): void
  /** A copy of what is kept, oldest first. */
  events(): ReadonlyArray<TraceEvent>
  /** Calls `see` for every later event, in order; the function it gives ends that. What `see` throws is thrown later. */
  watch(see: (event: TraceEvent) => void): () => void
}

/** How much a trace keeps. The bytes are an estimate: 64 for each event and the length of its texts. */
export interface TraceBounds {
  readonly traceEntriesMax: number
  readonly traceBytesMax: number
}

/** 8,192 events and 4 MiB. */
export const traceBoundsDefault: TraceBounds = { traceEntriesMax: 8_192, traceBytesMax: 4 * 1024 * 1024 }

/** @since 0.1.0 @category constructors */
export const makeTrace = (clock: Clock, bounds: TraceBounds = traceBoundsDefault): Trace => {
  // Two rings, so that recording copies nothing; an event is put together when somebody looks.
  const facts: Array<TraceFact | undefined> = []
  const times: Array<number> = []
  const capacity = bounds.traceEntriesMax
  const watchers = new Set<(event: TraceEvent) => void>()
  let first = 0
  let count = 0
  let bytes = 0
  const dropOldest = (): void => {
    const oldest = facts[first % capacity]
    if (oldest !== undefined) bytes -= sizeOf(oldest)
    facts[first % capacity] = undefined
    first++
  }
  return {
    record(fact) {
      const index = count++
      const at = clock.now()
      if (index - first >= capacity) dropOldest()
      facts[index % capacity] = fact
      times[index % capacity] = at
      bytes += sizeOf(fact)
      while (bytes > bounds.traceBytesMax && first < index) dropOldest()
      if (watchers.size > 0) for (const see of watchers) show(see, { ...fact, index, at })
    },
    events() {
      const events: Array<TraceEvent> = []
      for (let index = first; index < count; index++) {
        const fact = facts[index % capacity]
        if (fact !== undefined) events.push({ ...fact, index, at: times[index % capacity] ?? 0 })
      }
      return events
    },
    watch(see) {
      watchers.add(see)
      return () => watchers.delete(see)
    }
  }
}

/** A watcher that throws must not break the step that is being recorded: its error surfaces after it. */
const show = (see: (event: TraceEvent) => void, event: TraceEvent): void => {
  try {
    see(event)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

const sizeOf = (event: TraceFact): number => {
  switch (event.type) {
    case "request":
    case "refused":
      return 64 + event.path.length + event.method.length
    case "decision":
      return 64 + (event.expectation?.length ?? 0) + (event.miss?.length ?? 0)
    case "conversation":
      return 64 + event.session.length
    case "fault":
      return 64 + event.lane.length + event.entry.length + event.behavior.length
    case "expectation":
      return 64 + event.name.length + event.barriers.reduce((sum, text) => sum + text.length, 0)
    case "barrier.reached":
    case "barrier.released":
      return 64 + event.expectation.length + (event.barrier?.length ?? 0)
    case "phase":
      return 64 + event.expectation.length
    case "closed":
      return 64 + event.blocked.reduce((sum, text) => sum + text.length, 0)
    default:
      return 64
  }
}

/** A trace that nobody will look at, and that keeps nothing. @since 0.1.0 @category constructors */
export const noTrace: Trace = { record: () => {}, events: () => [], watch: () => () => {} }
