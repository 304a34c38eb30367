import { endpointPaths, type InferenceEndpoint } from "../domain/endpoint.ts"
import { explainKind } from "../domain/explain-kind.ts"
import type { JsonBody } from "../domain/json.ts"
import type { Plan } from "../domain/plan.ts"
import type { ScriptedResponse } from "../domain/scripted-response.ts"
import type { AnswerSource } from "../domain/trace-event.ts"
import type { Trace } from "../kernel/trace.ts"
import type { CopyWatcher } from "../serving/copy.ts"
import type { Answer } from "../serving/http-app.ts"
import { type PlanTerms, planOf, unpaced, type WireResponse, wireResponse } from "../serving/scripted-plan.ts"
import { isAuthorized } from "./auth.ts"
import { classify, type Decision, type DecisionView, decide, type InferenceRequest } from "./decision.ts"
import { planForCopy } from "./expectation.ts"
import type { ExpectationBook } from "./expectation-book.ts"
import { explainMiss } from "./explain-miss.ts"
import { fallbackResponse } from "./fallback.ts"
import type { Gate } from "./gate.ts"
import { logOf } from "./logged-request.ts"
import { refusals } from "./refusals.ts"
import type { LoggedRequest, LogRecord, RequestLog } from "./request-log.ts"
import type { ServerState } from "./server-state.ts"
import type { PassedRequest } from "./transport.ts"
import { unwatched, watchAnswer, watchCall } from "./watchers.ts"

/**
 * Turns requests into plans. Each method runs inside one step of the supervisor, so log order is the order of the
 * decisions.
 *
 * @since 0.1.0
 * @category decisions
 */
export interface Answers {
  readonly state: ServerState
  /** An inference route: log, classify, decide, carry out. */
  inference(endpoint: InferenceEndpoint, request: PassedRequest): Answer
  /** Any other logged route. */
  logged(request: LoggedRequest, response: WireResponse, source?: AnswerSource): Answer
  /** A response made ready for the wire in the server's profile. */
  ready(response: ScriptedResponse): WireResponse
  unlogged(response: ScriptedResponse): Answer
  takeQueued(path: string): WireResponse | undefined
}

/** What the answers are made from. */
export interface AnswerParts {
  readonly state: ServerState
  readonly book: ExpectationBook
  readonly gate: Gate
  readonly log: RequestLog
  readonly trace: Trace
}

/** @since 0.1.0 @category constructors */
export const makeAnswers = (parts: AnswerParts): Answers => {
  const { state, book, gate, log, trace } = parts

  const record = (request: LoggedRequest): { readonly entry: LogRecord; readonly watcher: CopyWatcher } => {
    const { method, path } = request
    const entry = log.add(request)
    trace.record({ type: "request", request: entry.number, method, path })
    return { entry, watcher: watchAnswer({ what: `${method} ${path}`, record: entry, trace, gate }) }
  }
  const takeQueued = (path: string): WireResponse | undefined => state.queues.get(path)?.shift()
  const view: DecisionView = {
    book,
    queued: (path) => state.queues.get(path)?.[0],
    isAuthorized: (head) => isAuthorized(head, state),
    nextTurn: () => state.turns[0],
    isStrict: () => state.isStrict
  }

  return {
    state,
    takeQueued,
    unlogged: (response) => answer(planOf(wireResponse(response, state.profile), unpaced), unwatched),
    logged(request, response, source = "resource") {
      const { entry, watcher } = record(request)
      entry.answered(source, null)
      return answer(planOf(response, unpaced), watcher)
    },
    ready: (response) => wireResponse(response, state.profile),
    inference(endpoint, passed) {
      const { entry, watcher } = record(logOf(passed, endpointPaths[endpoint]))
      const request = classify(endpoint, passed.head, passed.json ?? noBody)
      const decision = decide(view, request)
      const { plan, watcher: told } = carryOut(decision, request, { parts, watcher, takeQueued })
      const expectation = "expectation" in decision ? decision.expectation.data.name : null
      entry.answered(decision.source, expectation, request.kind)
      if (expectation === null)
        book.notePassedBy(
          () => `#${entry.number} ${endpoint}, ${explainKind(request.head.headers, request.body.value)}`
        )
      return {
        plan,
        watcher: told,
        started: (copy) =>
          trace.record({
            type: "decision",
            request: entry.number,
            actor: copy.id,
            endpoint,
            kind: request.kind,
            source: decision.source,
            expectation
          })
      }
    }
  }
}

/** Inference routes always have a JSON body; the type of a passed request does not say so. */
const noBody: JsonBody = { text: "null", value: null }

const answer = (plan: Plan, watcher: CopyWatcher): Answer => ({ plan, watcher, started: () => {} })

/** Consumes what was decided for, and gives the plan of the copy and who is told about it. */
const carryOut = (
  decision: Decision,
  request: InferenceRequest,
  options: {
    readonly parts: AnswerParts
    readonly watcher: CopyWatcher
    readonly takeQueued: (path: string) => WireResponse | undefined
  }
): { readonly plan: Plan; readonly watcher: CopyWatcher } => {
  const { state, book } = options.parts
  const { watcher, takeQueued } = options
  const delayMs = state.chunkDelayMs
  switch (decision.source) {
    case "replay":
      book.join(decision.expectation)
      return {
        plan: planForCopy(decision.expectation.data, delayMs),
        watcher: watchCall(watcher, { expectation: decision.expectation, isPrimary: false })
      }
    case "expectation":
      book.claim(decision.expectation, decision.fingerprint)
      return {
        plan: planForCopy(decision.expectation.data, delayMs),
        watcher: watchCall(watcher, { expectation: decision.expectation, isPrimary: true })
      }
    case "queue":
      takeQueued(endpointPaths[request.endpoint])
      return { plan: planOf(decision.response, pacing(decision.response, request, delayMs)), watcher }
    case "unauthorized":
      return {
        plan: planOf(wireResponse(refusals.unauthorized(request.endpoint, state.profile), state.profile), unpaced),
        watcher
      }
    case "unexpected":
      return { plan: planOf(wireResponse(refuseUnexpected(request, options.parts), state.profile), unpaced), watcher }
    case "turn":
    case "mode": {
      if (decision.source === "turn") state.turns.shift()
      const response = wireResponse(
        fallbackResponse(request.body.value, {
          endpoint: request.endpoint,
          profile: state.profile,
          mode: state.mode,
          stopReason: state.stopReason,
          turn: decision.source === "turn" ? decision.text : undefined
        }),
        state.profile
      )
      return { plan: planOf(response, pacing(response, request, delayMs)), watcher }
    }
  }
}

/** Says why nothing was scripted for a request, to the client and to `verify()`. */
const refuseUnexpected = (request: InferenceRequest, { state, book }: AnswerParts): ScriptedResponse => {
  const miss = explainMiss(book, request)
  if (state.unexpected.push(`unexpected ${endpointPaths[request.endpoint]}: ${miss}`) > unexpectedMax) {
    state.unexpected.shift()
  }
  return refusals.unexpected(request.endpoint, miss)
}

/** So many unexpected requests are kept for `verify()`. */
const unexpectedMax = 1_024

/** Streams of a turn wait at the completion gate before their last step; nothing else does. */
const pacing = (response: WireResponse, request: InferenceRequest, delayMs: number | null): PlanTerms => ({
  delayMs: response.body.kind === "frames" ? delayMs : null,
  barriers:
    response.body.kind === "frames" && request.kind === "foreground" ? [{ name: "completion", place: "terminal" }] : [],
  owner: "gate"
})
