import type { Phase } from "../../src/domain/phase.ts"
import type { Ending } from "../../src/domain/plan.ts"
import type { Header } from "../../src/domain/request.ts"
import type { AnswerSource, TraceEvent } from "../../src/domain/trace-event.ts"
import type { LogEntry } from "../../src/inference/log-entry.ts"
import type { Command, RequestSpec } from "../model/command.ts"
import type { SentRequest } from "../model/request.ts"

/**
 * Everything that was seen while a history ran: from the clients' side, from the handles, from log and trace. Positions in
 * the trace (`...Index`) order whatever happened in one millisecond. Plain data.
 *
 * @since 0.1.0
 * @category models
 */
export interface Observations {
  /** The commands of the history, then those that ended the run. */
  readonly commands: ReadonlyArray<Done>
  /** By the number of the `register` command; `null` where it failed. */
  readonly expectations: ReadonlyArray<SeenExpectation | null>
  /** By the number of the exchange; `null` where no request was sent. */
  readonly exchanges: ReadonlyArray<SeenExchange | null>
  readonly waits: ReadonlyArray<SeenWait>
  readonly trace: ReadonlyArray<TraceEvent>
  readonly log: ReadonlyArray<LogEntry>
  readonly end: SeenEnd
}

/**
 * One command that was carried out.
 *
 * @since 0.1.0
 * @category models
 */
export interface Done {
  readonly command: Command
  /** Its place in the history; `null` for what ended the run. */
  readonly step: number | null
  /** Its number among registrations or exchanges, whichever it is. Drawn ties may carry commands out in another order. */
  readonly number: number
  readonly at: number
  /** Nothing that was due had been left undone when it began. */
  readonly isQuiet: boolean
  /** The message that it threw. */
  readonly error: string | null
  readonly before: Moment
  /** Right after the call, before anything else ran. */
  readonly after: Moment
  /** The numbers of the log entries that were retained then; `null` when nobody looked. */
  readonly kept: ReadonlyArray<number> | null
}

/**
 * What a test could see at one moment.
 *
 * @since 0.1.0
 * @category models
 */
export interface Moment {
  /** Events in the trace so far. */
  readonly traceIndex: number
  /** By expectation. */
  readonly phases: ReadonlyArray<Phase | null>
  readonly claims: ReadonlyArray<number>
  readonly requestCount: number
  /** By exchange: how many pieces of the body, comments included, and whether head and end were there. */
  readonly pieces: ReadonlyArray<number>
  readonly heads: ReadonlyArray<boolean>
  readonly ends: ReadonlyArray<boolean>
}

/**
 * One expectation and the phases that its handle showed.
 *
 * @since 0.1.0
 * @category models
 */
export interface SeenExpectation {
  readonly name: string
  readonly registeredIndex: number
  readonly phases: ReadonlyArray<SeenPhase>
  readonly phase: Phase
  readonly claims: number
}

/**
 * A phase as it was published.
 *
 * @since 0.1.0
 * @category models
 */
export interface SeenPhase {
  readonly phase: Phase
  readonly at: number
  readonly index: number
  /** `requestCount()` when it was published. */
  readonly requestCount: number
}

/**
 * One request and what its client received.
 *
 * @since 0.1.0
 * @category models
 */
export interface SeenExchange {
  /** Of inference requests only. */
  readonly request: RequestSpec | null
  readonly sent: SentRequest
  readonly command: number
  readonly at: number
  /** Its number in log and trace; `null` when it was not logged. */
  readonly number: number | null
  readonly askedIndex: number
  readonly source: AnswerSource | null
  /** The expectation that answered it. */
  readonly expectation: number | null
  readonly status: number | null
  readonly headers: ReadonlyArray<Header>
  readonly headAt: number | null
  readonly pieces: ReadonlyArray<{ readonly at: number; readonly text: string }>
  readonly ended: SeenEnding | null
  readonly settled: { readonly as: "crossed" | "cancelled"; readonly at: number; readonly index: number } | null
  /** Whether the log had its entry when the first byte was there. */
  readonly wasLoggedFirst: boolean
}

/**
 * How an answer ended, as its client saw it.
 *
 * @since 0.1.0
 * @category models
 */
export interface SeenEnding {
  readonly how: Ending
  readonly at: number
  readonly traceIndex: number
  /** The phase of its expectation when the client saw the end. */
  readonly phase: Phase | null
}

/**
 * One wait on a handle. Commands are counted from 0; `null` while it waits.
 *
 * @since 0.1.0
 * @category models
 */
export interface SeenWait {
  readonly expectation: number
  readonly wanted: Wanted
  readonly startedAt: number
  readonly settledAt: number | null
  readonly outcome: "waiting" | "reached" | string
}

/** What is waited for: `received`, `blocked`, `satisfied`, `claims N` or `barrier NAME`. */
export type Wanted = string

/**
 * How the run ended.
 *
 * @since 0.1.0
 * @category models
 */
export interface SeenEnd {
  readonly isClosed: boolean
  readonly blocked: ReadonlyArray<string>
  readonly closedAt: number | null
  readonly armedTimers: number
  readonly connections: number
  readonly isRefusing: boolean
  readonly moment: Moment
  readonly at: number
}
