import type { Barrier } from "../domain/barrier.ts"
import type { SessionRules } from "../domain/conversation.ts"
import type { WireProfile } from "../domain/endpoint.ts"
import type { InferenceRequestMatcher } from "../domain/matcher.ts"
import type { MockModelEntry } from "../domain/model-entry.ts"
import type { ScriptedResponse } from "../domain/scripted-response.ts"
import type { TraceEvent } from "../domain/trace-event.ts"
import type { TraceBounds } from "../kernel/trace.ts"
import type { ServerClock } from "../serving/server-clock.ts"
import type { CallFilter } from "./call-filter.ts"
import type { ExpectationHandle } from "./expectation-handle.ts"
import type { GroupHandle } from "./group-handle.ts"
import type { HeldCall } from "./held-call.ts"
import type { LogEntry } from "./log-entry.ts"
import type { LogBounds } from "./request-log.ts"
import type { StorageUpload } from "./server-state.ts"

/**
 * How a server is started. `port` 0 lets the system choose; `host` is loopback unless told otherwise. The bounds say how
 * much log and trace keep.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServerOptions extends Partial<LogBounds>, Partial<TraceBounds> {
  readonly host?: string
  readonly port?: number
  readonly profile?: WireProfile
  /**
   * How sessions and calls of clients are told apart. With it attempts are counted from the start (see `expectAttempts`),
   * and the trace says by which rule. `retries: "any"` lets a retry take what comes next, for example from a queue.
   */
  readonly sessions?: SessionRules
  /**
   * Requests on inference routes that nothing was scripted for are refused with 400 and an explanation, and fail `verify()`;
   * there is no echo. Default: false.
   */
  readonly strict?: boolean
  /**
   * Whether a request may ask for a fault by the header `x-understudy-fault: NAME`, before anything that is scripted.
   * Default: unless the server is strict.
   */
  readonly faultHeader?: boolean
  /** `manual`: time stands still until `server.clock.advance`. Default: the clock of the machine. */
  readonly clock?: "real" | "manual"
  /** Called before the port is bound, so that no request can come before what it sets and scripts. */
  readonly prepare?: (server: ServerControls) => void
  /** A request body of more bytes than this is refused with 413. Default: 256 MiB. */
  readonly bodyBytesMax?: number
}

/** Models and required token of a server. */
export interface ServerPreset {
  readonly models?: ReadonlyArray<MockModelEntry>
  readonly token?: string
}

/** One of several answers of which one is given. */
export interface Alternative {
  readonly matcher: InferenceRequestMatcher
  readonly response: ScriptedResponse
  readonly barriers?: ReadonlyArray<Barrier>
}

/** What `close` found. */
export interface CloseReport {
  /** One line for each response that had to be cut: what it was, and what it was waiting for. */
  readonly blocked: ReadonlyArray<string>
}

/**
 * A mock model provider. Setters may be called at any time and hold for later requests.
 *
 * **Source** inference-server.md, section 0
 *
 * @since 0.1.0
 * @category services
 */
export interface MockInferenceServer {
  /** `http://HOST:PORT/v1`: the base URL of OpenAI clients. */
  url(): string
  /** `http://HOST:PORT`: the base URL of Anthropic clients. */
  origin(): string

  /**
   * Registers a scripted answer for the next matching request. With `times: n` for the next n: `NAME#1` to `NAME#n`, under
   * one handle. Throws `InvalidScript` or `DuplicateExpectation`.
   */
  expectResponse(
    name: string,
    matcher: InferenceRequestMatcher,
    response: ScriptedResponse,
    options?: { readonly barriers?: ReadonlyArray<Barrier>; readonly times?: number }
  ): ExpectationHandle
  /**
   * One answer for each try of one call, `NAME#1`, `NAME#2`, ...: the first is for any matching request, the others are for
   * retries of the call that took it. From the first use on, and for good, the whole server counts attempts: a retry (same
   * session, same call, the answer before not completed or an error) takes only what was scripted for its call, and never
   * another expectation, an entry of a queue or an agent turn, unless the server was started with
   * `sessions: { retries: "any" }`.
   */
  expectAttempts(
    name: string,
    matcher: InferenceRequestMatcher,
    responses: ReadonlyArray<ScriptedResponse>
  ): GroupHandle
  /** Alternatives `NAME#1`, `NAME#2`, ...: when one is claimed the others retire. */
  expectAny(name: string, alternatives: ReadonlyArray<Alternative>): GroupHandle
  /** The same with one barrier `terminal`: the answer stands before its last step until `release()`. */
  expectResponseBlocked(name: string, matcher: InferenceRequestMatcher, response: ScriptedResponse): ExpectationHandle
  /** Appends to the queue of exactly this path (`/v1/chat/completions`, `/v1/settings`, ...). */
  enqueueResponse(path: string, response: ScriptedResponse): void
  /** Answers with this text from now on, where nothing is scripted. */
  setResponse(text: string): void
  /** Back to echoing the last user message, as at the start. */
  setEcho(): void
  /** Refuses from now on what nothing was scripted for, or stops doing so. */
  setStrict(strict: boolean): void
  /** Holds for requests and registrations from now on. */
  setProfile(profile: WireProfile): void
  /** The key that unscripted inference requests and session routes need; `null` for none. */
  setRequiredToken(token: string | null): void
  /** Drops what is queued and not yet served, on every path. */
  clearQueues(): void
  /** One text for each foreground request that no script answers. Replaces what is left. */
  setAgentTurns(texts: ReadonlyArray<string>): void
  /** Pause before each event of a stream, in milliseconds; `null` for none. */
  setChunkDelay(ms: number | null): void
  setMessagesStopReason(reason: string): void
  /** Holds foreground streams from queue and modes before their last event. */
  holdAgentCompletions(): void
  releaseAgentCompletions(): void

  setModels(models: ReadonlyArray<MockModelEntry>): void
  /** Any JSON value; `null` too is an answer. */
  setSettings(value: unknown): void
  presetAllowAccess(): void
  setUserSubscriptionTier(tier: string | null): void
  /** Model list and settings are logged and never answered while this is on. */
  setHang(hang: boolean): void
  setStorageUnauthorized(unauthorized: boolean): void
  storageRequestCount(): number
  /** The newest 1024 uploads, oldest first, as far as they fit in 64 MiB. */
  storageUploads(): ReadonlyArray<StorageUpload>

  /** The retained requests, oldest first; a snapshot. */
  requests(): ReadonlyArray<LogEntry>
  requestBodies(): ReadonlyArray<unknown>
  requestCount(): number
  hasChatCompletionRequest(): boolean
  hasResponsesRequest(): boolean
  messagesRequestCount(): number
  lastSystemPrompt(): string | undefined
  requestLogSummary(): string
  /** While off, requests are counted and not kept. */
  setKeepRequests(keep: boolean): void

  /** What is kept of the trace, oldest first. */
  traceEvents(): ReadonlyArray<TraceEvent>
  readonly clock: ServerClock

  /**
   * The next request that fits, in the hand of the test: nothing is answered until it says so. Ask before the request comes;
   * each call takes one. Goes before expectations. Rejects with `InvalidOption` for a filter that cannot be, and when the
   * server closes; a `signal` in the filter takes it back.
   */
  next(filter?: CallFilter): Promise<HeldCall>
  /**
   * So many requests that fit (1 to 100,000), held until all are there at once, in the order in which they came: who leaves
   * before makes room for another. Rejects as `next`.
   */
  gather(count: number, filter?: CallFilter): Promise<ReadonlyArray<HeldCall>>

  /**
   * Throws `VerificationFailed` with every unmet or abandoned expectation, unserved script and unexpected request. Retired
   * expectations are none of these.
   */
  verify(): void
  /**
   * The first request that `accepts` takes, of the retained ones or of those to come. Rejects when the server closes, with
   * what `accepts` throws, and with `InvalidOption` when it does not answer true or false at once.
   */
  waitForRequest(accepts: (entry: LogEntry) => boolean): Promise<LogEntry>
  /** The trace from now on, for `for await`; ends when the server has closed. */
  traceStream(): AsyncIterableIterator<TraceEvent>
  /** Calls `see` for every later trace event; the function it gives ends that. */
  watchTrace(see: (event: TraceEvent) => void): () => void

  /**
   * Stops accepting, lets running responses finish for `drainMs` (default 1000), cuts the rest. Afterwards there is no
   * socket and no timer, and every outstanding wait has rejected. Every call gives the same report; a later one with
   * `drainMs: 0` ends the wait of an earlier one.
   */
  close(options?: { readonly drainMs?: number }): Promise<CloseReport>
  /**
   * `close()` that does not let its report go by: rejects with `HeldCallsCut` when a client still waited for a call in the
   * hand of the test.
   */
  [Symbol.asyncDispose](): Promise<void>
}

/** A server without its port: what can be set, scripted and seen before anybody can connect. */
export type ServerControls = Omit<MockInferenceServer, "url" | "origin" | "close" | typeof Symbol.asyncDispose>
