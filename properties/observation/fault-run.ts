import type { Outcome } from "../../src/domain/outcome.ts"
import type { Ending } from "../../src/domain/plan.ts"
import type { Header } from "../../src/domain/request.ts"
import type { FaultEvent } from "../../src/faults/fault-event.ts"
import type { FaultRecord, LaneState } from "../../src/faults/fault-server-api.ts"
import type { FaultAsk } from "../model/fault-ask.ts"
import type { FaultHistory } from "../model/fault-history.ts"
import type { Decision } from "../model/fault-model.ts"

/** What of a record changes. */
export type RecordView = readonly [chunksSent: number, outcome: Outcome | null]

/** How all records stood, each time that something had changed. */
export interface Moment {
  readonly at: number
  readonly records: ReadonlyArray<RecordView>
}

/** An event as an observer got it. */
export interface SeenEvent {
  readonly event: FaultEvent
  /** What it said then. */
  readonly text: string
  readonly at: number
  /** How many records there were. */
  readonly recordsThen: number
}

/** What of a server a request may change, as text. */
export interface ServerView {
  readonly lanes: ReadonlyArray<LaneState>
  readonly records: number
  readonly told: number
}

/** When a request was decided, and what that changed. */
export interface SeenDecision {
  readonly at: number
  readonly expected: Decision
  readonly before: ServerView
  readonly after: ServerView
}

export interface SeenPiece {
  readonly at: number
  readonly bytes: Uint8Array
  readonly isUnframed: boolean
}

/** A request and what its client has seen of the answer. */
export interface SeenFault {
  readonly ask: FaultAsk
  /** Of its connection. */
  readonly windowBytes: number | null
  /** `null` when its body never arrived, or arrived when the connection was gone. */
  readonly decision: SeenDecision | null
  readonly record: FaultRecord | null
  readonly status: number | null
  readonly headers: ReadonlyArray<Header>
  readonly pieces: ReadonlyArray<SeenPiece>
  readonly ended: Ending | null
  /** When its client left. */
  readonly leftAt: number | null
  /** The chunks of its record when its client had left. */
  readonly chunksWhenLeft: number | null
  /** Whether its record was listed and told, and its head sent, when the first byte came. */
  readonly firstByte: { readonly isListed: boolean; readonly isTold: boolean; readonly hasHead: boolean } | null
}

/** A try to connect: whether it was refused, and what the port had told last. */
export interface SeenConnect {
  readonly isRefused: boolean
  readonly isClosing: boolean
  readonly lastTold: "unavailable" | "available" | null
}

/** What was seen of a run. */
export interface FaultRun {
  readonly history: FaultHistory
  readonly faults: ReadonlyArray<SeenFault>
  readonly records: ReadonlyArray<FaultRecord>
  readonly unexpected: ReadonlyArray<FaultRecord>
  readonly told: ReadonlyArray<SeenEvent>
  readonly moments: ReadonlyArray<Moment>
  readonly connects: ReadonlyArray<SeenConnect>
  readonly drawLabels: ReadonlyArray<string>
  /** When the first `close` was called; that at the end of a run comes when all is over. */
  readonly closedAt: number | null
  /** How many events had been told then. */
  readonly toldWhenClosing: number | null
  readonly end: {
    /** Timers when every client had left, before the server was closed by the run itself. */
    readonly idleTimers: number
    /** Timers of a server that was closed on the way, as soon as it was. */
    readonly closedTimers: number
    readonly timers: number
    readonly connections: number
    readonly isRefusing: boolean
    readonly areClosingsOne: boolean
    readonly isClosed: boolean
    /** How the records stood, and how many results were told, when the promise of `close` resolved. */
    readonly whenClosed: { readonly records: ReadonlyArray<RecordView>; readonly results: number } | null
  }
}
