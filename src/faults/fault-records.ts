import type { KnownAttempt } from "../domain/known-attempt.ts"
import type { Outcome } from "../domain/outcome.ts"
import type { RequestHead } from "../domain/request.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Trace } from "../kernel/trace.ts"
import type { CopyWatcher } from "../serving/copy.ts"
import { isGoodAnswer } from "./chance/keyed-choice.ts"
import { closeModeOf, type OpenRecord, recordHeaders } from "./exchange-record.ts"
import type { FaultEvent } from "./fault-event.ts"
import type { FaultRecord } from "./fault-server-api.ts"

/** What is known of an exchange when it is accepted. */
export interface NewExchange
  extends Pick<
    FaultRecord,
    "path" | "body" | "scriptBehavior" | "behavior" | "lane" | "laneAttempt" | "format" | "stream"
  > {
  readonly head: RequestHead
  readonly known: KnownAttempt | null
  /** Called once, when the exchange has its outcome. */
  readonly settled: () => void
}

/** An exchange in progress. */
export interface OpenExchange {
  readonly record: FaultRecord
  /** Keeps the record true to what is served. `ending` is what the plan ends with. */
  watcher(ending: string): CopyWatcher
  /** The server failed over it: whatever is sent now, that is its outcome. */
  failed(): void
}

/**
 * The records of a server, and the events that tell about them.
 *
 * **Source** fault-server.md, sections 2, 4.5, 6.3 and 9.7
 *
 * @since 0.1.0
 * @category services
 */
export interface FaultRecords {
  /** Gives the exchange its number, records it and tells it. */
  accept(exchange: NewExchange): OpenExchange
  readonly list: ReadonlyArray<FaultRecord>
  readonly exhausted: ReadonlyArray<FaultRecord>
  tell(event: FaultEvent): void
  /** Milliseconds since the server was ready. */
  now(): number
  /** The number of the exchange that is accepted next. */
  upcoming(): number
  readonly isFull: boolean
}

/** @since 0.1.0 @category constructors */
export const makeFaultRecords = (options: {
  readonly clock: Clock
  readonly trace: Trace
  readonly recordsMax: number
  readonly isFull: boolean
  readonly readyAt: () => number
  readonly onEvent: ((event: FaultEvent) => void) | undefined
}): FaultRecords => {
  const { clock, trace, recordsMax, isFull, onEvent } = options
  const list: Array<FaultRecord> = []
  const exhausted: Array<FaultRecord> = []
  let attempts = 0
  const now = (): number => clock.now() - options.readyAt()

  const tell = (event: FaultEvent): void => {
    if (onEvent === undefined) return
    try {
      const given: unknown = onEvent(Object.freeze(event))
      // What an observer does with an event is its own affair, also when it goes wrong later.
      if (typeof given === "object" && given !== null && "then" in given) Promise.resolve(given).catch(() => {})
    } catch {}
  }
  const keep = (into: Array<FaultRecord>, record: FaultRecord): void => {
    if (recordsMax === 0) return
    into.push(record)
    if (into.length > recordsMax) into.shift()
  }
  const placeOf = ({ lane, laneAttempt, format, stream }: FaultRecord, t: number) =>
    isFull ? { lane, laneAttempt, format, stream, t: Math.round(t) } : {}

  const accept = (exchange: NewExchange): OpenExchange => {
    const { head, known, settled } = exchange
    const record: OpenRecord = {
      attempt: ++attempts,
      scriptBehavior: exchange.scriptBehavior,
      behavior: exchange.behavior,
      path: exchange.path,
      headers: recordHeaders(head.headers),
      body: exchange.body,
      chunksSent: 0,
      lane: exchange.lane,
      laneAttempt: exchange.laneAttempt,
      format: exchange.format,
      stream: exchange.stream,
      t: now(),
      bytesSent: 0
    }
    keep(list, record)
    if (record.behavior === "script_exhausted") keep(exhausted, record)
    const { attempt, scriptBehavior, behavior, path } = record
    trace.record({ type: "request", request: attempt, method: head.method, path })
    tell({ type: "request", attempt, scriptBehavior, behavior, path, ...placeOf(record, record.t) })

    let stalledAt = 0
    const end = (outcome: Outcome, ending: string): void => {
      if (record.outcome !== undefined) return
      record.outcome = outcome
      const closeMode = closeModeOf(outcome, ending)
      if (closeMode !== undefined) record.closeMode = closeMode
      record.durationMs = now() - record.t
      stalledAt = now()
      const { chunksSent: events, bytesSent: bytes } = record
      trace.record({ type: "ended", request: attempt, outcome, bytes, events })
      tell({
        type: "result",
        attempt,
        scriptBehavior,
        behavior,
        outcome,
        chunksSent: record.chunksSent,
        ...placeOf(record, now()),
        ...(isFull
          ? {
              status: record.status ?? null,
              bytesSent: record.bytesSent,
              closeMode: closeMode ?? null,
              durationMs: Math.round(record.durationMs)
            }
          : {})
      })
      settled()
    }
    return {
      record,
      failed: () => end("server_error", "end"),
      watcher: (ending) => ({
        what: `${head.method} ${path} (${behavior})`,
        waits: () => {},
        headSent(status) {
          known?.headSent(status)
          if (record.outcome === undefined) record.status = status
        },
        served(bytes, events) {
          if (record.outcome !== undefined) return
          record.chunksSent += events
          record.bytesSent += Buffer.byteLength(bytes)
        },
        settled: (as) => trace.record({ type: "settled", request: attempt, as }),
        ended(outcome) {
          // After a fault that looks like an answer, the same call is another try: it ended, and yet is not over.
          if (outcome !== "completed" || isGoodAnswer(record.behavior)) known?.ended(outcome)
          end(outcome, ending)
        },
        released(by) {
          if (isFull) tell({ type: "closed", attempt, by, heldMs: Math.round(now() - stalledAt) })
        }
      })
    }
  }

  return { accept, list, exhausted, tell, now, upcoming: () => attempts + 1, isFull }
}
