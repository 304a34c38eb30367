import type { FaultName } from "../domain/fault-names.ts"
import type { FaultOptions } from "../domain/fault-options.ts"
import type { Outcome } from "../domain/outcome.ts"
import type { TraceEvent } from "../domain/trace-event.ts"
import type { ServerClock } from "../serving/server-clock.ts"
import type { FaultFormat } from "./catalogue/voice.ts"
import type { IncidenceProfile } from "./chance/profile.ts"
import type { RandomWeights } from "./chance/weights.ts"
import type { FaultEvent } from "./fault-event.ts"
import type { LaneRule } from "./lane-key.ts"
import type { SequenceEntry } from "./script-entry.ts"

/** The script of a lane, with options of its own. */
export interface LaneScript {
  readonly sequence: ReadonlyArray<SequenceEntry>
  readonly repeatLast?: boolean
  readonly weights?: RandomWeights
  readonly options?: FaultOptions
}

/**
 * How callers are told apart, so that each gets its own faults whatever the others do. `by` is asked in order; a request
 * with none of it is in lane `default`. `scripts` are found by key: exact, then by pattern (`*` stands for anything), then
 * `*`; a lane without one has the script of the server. With `isStrict` such a lane is refused with 421.
 *
 * **Source** fault-server.md, section 9.1
 *
 * @since 0.1.0
 * @category lanes
 */
export interface LaneOptions {
  readonly by?: ReadonlyArray<LaneRule>
  /** Whether each lane has a cursor of its own in the script of the server. Default: with `by`, yes. */
  readonly perLane?: boolean
  readonly scripts?: Readonly<Record<string, LaneScript>>
  readonly isStrict?: boolean
  /** Only turns of an agent's main loop take faults; every other request gets `success` and takes nothing. */
  readonly onlyForeground?: boolean
  /** Whether each lane of `scripts` that is named exactly (no pattern) listens on a port of its own. */
  readonly lanePort?: boolean
}

/**
 * What a fault server is started with. `sequence` is needed unless every lane has a script.
 *
 * **Source** fault-server.md, sections 4.2, 6.2 and 9
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultServerOptions extends FaultOptions {
  readonly sequence?: ReadonlyArray<SequenceEntry>
  readonly host?: string
  /** 0, the default, lets the system choose. */
  readonly port?: number
  /** Requests need it as bearer token, in Messages also as `x-api-key`. Default: any authorization is accepted. */
  readonly apiKey?: string
  readonly repeatLast?: boolean
  /** 0 to 4294967295; default: random. */
  readonly randomSeed?: number
  readonly randomWeights?: RandomWeights
  /** A built-in profile by name, or one of your own, in the place of weights. */
  readonly profile?: string | IncidenceProfile
  /**
   * Draw `random` by session, turn and attempt, so that the order of arrival cannot change it. The same call again is its next
   * attempt until it got a good answer. Not with a profile that has bursts.
   */
  readonly keyed?: boolean
  readonly lanes?: LaneOptions
  /** Which routes there are. Default: all three. */
  readonly formats?: ReadonlyArray<FaultFormat>
  readonly chunkShape?: "complete" | "minimal"
  readonly usagePlacement?: "attached" | "trailing" | "both" | "none" | "auto"
  /** Who gets JSON: `strict` who does not say `stream: true`, `auto` who says `stream: false`, `sse` nobody. */
  readonly streaming?: "strict" | "auto" | "sse"
  /** Mark failures of the mock itself by `x-mock-error` in chat too. */
  readonly markErrors?: boolean
  readonly maxBodyBytes?: number
  /** Whether a request may ask for a fault by the header `x-understudy-fault`. Default: unless `lanes.isStrict`. */
  readonly faultHeader?: boolean
  /** So many records are kept, the newest. Default 100,000. */
  readonly recordsMax?: number
  /** How much events say. */
  readonly telemetry?: "baseline" | "full"
  readonly onEvent?: (event: FaultEvent) => void
  /** `manual`: time stands still until `server.clock.advance`. */
  readonly clock?: "manual"
}

/**
 * One accepted request and what became of it. Only `chunksSent`, `outcome`, `status`, `bytesSent`, `closeMode` and
 * `durationMs` change, and none of them once `outcome` is set.
 *
 * **Source** fault-server.md, sections 6.3 and 9.7
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultRecord {
  readonly attempt: number
  readonly scriptBehavior: FaultName | "random" | "script_exhausted"
  readonly behavior: FaultName | "script_exhausted"
  readonly path: string
  /** Names in lower case, repeated values joined by a comma, `set-cookie` a list. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** Parsed JSON, `undefined` for an empty body. */
  readonly body: unknown
  readonly chunksSent: number
  readonly outcome?: Outcome
  readonly lane: string
  readonly laneAttempt: number
  readonly format: FaultFormat
  /** Whether the answer is a stream. */
  readonly stream: boolean
  /** Milliseconds since the server was ready. */
  readonly t: number
  readonly status?: number
  readonly bytesSent: number
  readonly closeMode?: string
  readonly durationMs?: number
}

/** Where a lane stands. */
export interface LaneState {
  readonly lane: string
  readonly used: number
  /** Entries of its script. */
  readonly entries: number
  readonly state: "running" | "repeating" | "exhausted"
}

/**
 * A provider that fails as it was told.
 *
 * **Source** fault-server.md, section 6.3
 *
 * @since 0.1.0
 * @category services
 */
export interface FaultServer extends AsyncDisposable {
  /**
   * `http://host:port`, without `/v1`: the base URL of Anthropic clients, which add it themselves. OpenAI clients take `url`.
   * (In the records of the command `baseURL` has its `/v1`.)
   */
  readonly baseURL: string
  /** `baseURL` with `/v1`: the base URL of OpenAI clients. */
  readonly url: string
  readonly port: number
  readonly randomSeed: number
  /** In order of acceptance; grows while the server runs. */
  readonly requests: ReadonlyArray<FaultRecord>
  /** Accepted requests that found their script exhausted. */
  readonly unexpected: ReadonlyArray<FaultRecord>
  /** Base URLs of the lanes that have ports of their own, by lane. */
  readonly laneURLs: ReadonlyMap<string, string>
  lanes(): ReadonlyArray<LaneState>
  /**
   * Fails with `VerificationFailed` when a lane has entries left, or a declared one never appeared. It does not look at requests
   * that came when nothing was left: those are in `unexpected`.
   */
  assertDrained(): void
  /**
   * Refuses connects for so long, or until `accept`. What is in progress goes on. A gap of the script that is over does not end
   * a refusal until `accept`.
   */
  refuse(options?: { readonly ms: number }): void
  /** Ends every refusal, also a gap of the script. */
  accept(): void
  readonly clock: ServerClock
  traceEvents(): ReadonlyArray<TraceEvent>
  /** Calls `see` for every later trace event; the function it gives ends that. */
  watchTrace(see: (event: TraceEvent) => void): () => void
  /** Rejects when a port could not be had again after a gap; otherwise resolves with `close`. */
  readonly closed: Promise<void>
  /** Ends everything at once, on all ports; afterwards every record has its outcome. Every call gives the same promise. */
  close(): Promise<void>
}
