import { proxyEventsMax } from "../domain/proxy-limits.ts"
import type { Clock } from "../kernel/clock.ts"
import { makeEventRing } from "./event-ring.ts"
import type { ProxyEvent, ProxyFact } from "./proxy-event.ts"

/** What has happened in a proxy: the newest events are kept, all are shown to those who watch. */
export interface EventLog {
  record(fact: ProxyFact): void
  /** Milliseconds since the start. */
  now(): number
  events(): ReadonlyArray<ProxyEvent>
  watch(see: (event: ProxyEvent) => void): () => void
}

/** @since 0.1.0 @category constructors */
export const makeEventLog = (clock: Clock): EventLog => {
  const startedAt = clock.now()
  const kept = makeEventRing(proxyEventsMax)
  const watchers = new Set<(event: ProxyEvent) => void>()
  const now = (): number => clock.now() - startedAt
  return {
    now,
    record(fact) {
      const at = now()
      kept.push(fact, at)
      for (const see of watchers) show(see, { ...fact, at })
    },
    events: kept.events,
    watch(see) {
      // A watcher of its own for each call, so that one function may watch twice.
      const watcher = (event: ProxyEvent): void => see(event)
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    }
  }
}

/** One who watches and throws must not break the step that is told of. */
const show = (see: (event: ProxyEvent) => void, event: ProxyEvent): void => {
  try {
    see(event)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
