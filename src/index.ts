import { Effect } from "effect"
import { MockModelEntry } from "./domain/model-entry.ts"
import type { MockInferenceServer as Server, ServerOptions, ServerPreset } from "./inference/server-api.ts"
import { startServer } from "./inference/start-server.ts"
import { liveClock } from "./live/clock.ts"
import { liveHttp } from "./live/http-server.ts"
import { makeManualClock } from "./live/manual-clock.ts"
import { makeLifetime } from "./supervisor/lifetime.ts"

const start = (options: ServerOptions & ServerPreset): Promise<Server> =>
  new Promise((resolve, reject) => {
    const base = { http: liveHttp, lifetime: makeLifetime(Effect.runSync) }
    const manual = options.clock === "manual" ? makeManualClock() : null
    const ports =
      manual === null
        ? { ...base, clock: liveClock }
        : { ...base, clock: manual, guardClock: liveClock, advance: manual.advance }
    startServer(ports, options, { started: resolve, failed: reject })
  })

/** A mock model provider on a real port. */
export type MockInferenceServer = Server

/**
 * Starts mock model providers. Every start rejects with `StartFailed` when the port cannot be had, and with
 * `InvalidOption` before it tries when an option is out of range.
 *
 * **Source** inference-server.md, sections 0 and 10
 *
 * @since 0.1.0
 * @category constructors
 */
export const MockInferenceServer = {
  /** One model `test-model`, no required key. */
  start: (options: ServerOptions = {}): Promise<Server> => start(options),
  startWithModels: (models: ReadonlyArray<MockModelEntry>, options: ServerOptions = {}): Promise<Server> =>
    start({ ...options, models }),
  /** Requests that no script answers need `Authorization: Bearer TOKEN`. */
  startWithRequiredAuth: (
    models: ReadonlyArray<MockModelEntry>,
    token: string,
    options: ServerOptions = {}
  ): Promise<Server> => start({ ...options, models, token })
} as const

export type { Barrier, BarrierPosition } from "./domain/barrier.ts"
export type { RequestKind } from "./domain/classification.ts"
export type { ConversationRules, SessionRules } from "./domain/conversation.ts"
export type { Duration } from "./domain/duration.ts"
export { InferenceEndpoint, type WireProfile } from "./domain/endpoint.ts"
export {
  CallSettled,
  DuplicateExpectation,
  ExpectationFailed,
  InvalidOption,
  InvalidScript,
  StartFailed,
  VerificationFailed,
  WaitEnded
} from "./domain/errors.ts"
export type { FaultName } from "./domain/fault-names.ts"
export type { FaultOptions } from "./domain/fault-options.ts"
export { HeldCallsCut } from "./domain/held-calls-cut.ts"
export type { RetryReason } from "./domain/known-attempt.ts"
export { InferenceRequestMatcher } from "./domain/matcher.ts"
export type { Outcome, Settlement } from "./domain/outcome.ts"
export type { Pacing } from "./domain/pacing.ts"
export type { Phase } from "./domain/phase.ts"
export type { Ending } from "./domain/plan.ts"
export type { Header } from "./domain/request.ts"
export { RequestCondition, type SeenRequest } from "./domain/request-condition.ts"
export { type Cut, type ScriptedBody, ScriptedResponse } from "./domain/scripted-response.ts"
export { SseEvent } from "./domain/sse-event.ts"
export type { AnswerSource, TraceEvent, TraceFact } from "./domain/trace-event.ts"
export type { CallFilter } from "./inference/call-filter.ts"
export type { ExpectationHandle } from "./inference/expectation-handle.ts"
export type { GroupHandle } from "./inference/group-handle.ts"
export type { HeldCall, HeldStream, HeldStreamOptions } from "./inference/held-call.ts"
export type { AnswerRecord, LogEntry } from "./inference/log-entry.ts"
export type { Alternative, CloseReport, ServerControls, ServerOptions } from "./inference/server-api.ts"
export type { StorageUpload } from "./inference/server-state.ts"
export { type CountingServer, spawnCountingServer } from "./live/counting-server.ts"
export {
  type ResourceSnapshot,
  type Resources,
  type RssReport,
  type RssSampler,
  resourceSnapshot,
  startRssSampler
} from "./live/resource-snapshot.ts"
export { scaled } from "./live/timeout-scale.ts"
export type { ServerClock } from "./serving/server-clock.ts"
export { MockModelEntry }
