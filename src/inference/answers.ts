import { type Conversation, identify } from "../domain/conversation.ts"
import { endpointPaths, type InferenceEndpoint } from "../domain/endpoint.ts"
import { heldPlan } from "../domain/held-plan.ts"
import type { JsonBody } from "../domain/json.ts"
import type { Plan } from "../domain/plan.ts"
import type { ScriptedResponse } from "../domain/scripted-response.ts"
import type { AnswerSource } from "../domain/trace-event.ts"
import { askedFault } from "../faults/catalogue/fault-header.ts"
import { type Copy, type CopyWatcher, unwatched } from "../serving/copy.ts"
import type { Answer } from "../serving/http-app.ts"
import { planOf, unpaced, type WireResponse, wireResponse } from "../serving/scripted-plan.ts"
import type { AnswerParts } from "./answer-parts.ts"
import { isAuthorized } from "./auth.ts"
import { carryOut, fallbackOf, planFor } from "./carry-out.ts"
import { type ConversationNote, makeConversationNote } from "./conversation-note.ts"
import { type DecisionView, decide, decideUnheld, isUnscripted, type UnheldDecision } from "./decision.ts"
import { explainMiss } from "./explain-miss.ts"
import { type ClassifiedRequest, classify, type InferenceRequest } from "./inference-request.ts"
import type { LoggedRequest, LogRecord } from "./log-slot.ts"
import { logOf } from "./logged-request.ts"
import type { HeldParts } from "./make-held-call.ts"
import { once } from "./once.ts"
import { makePlanMemo } from "./plan-memo.ts"
import type { ServerState } from "./server-state.ts"
import type { PassedRequest } from "./transport.ts"
import { watchAnswer, watchAttempt, watchHeld } from "./watchers.ts"

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

/** @since 0.1.0 @category constructors */
export const makeAnswers = (parts: AnswerParts): Answers => {
  const { state, book, gate, log, trace, takers, attempts } = parts
  const memo = makePlanMemo(state)

  const record = (request: LoggedRequest): { readonly entry: LogRecord; readonly watcher: CopyWatcher } => {
    const { method, path } = request
    const entry = log.add(request)
    trace.record({ type: "request", request: entry.number, method, path })
    return { entry, watcher: watchAnswer({ what: `${method} ${path}`, record: entry, trace, gate }) }
  }
  const takeQueued = (path: string): WireResponse | undefined => state.queues.get(path)?.shift()
  const view: DecisionView = {
    book,
    queued: (path) => state.queues.get(path)?.peek(),
    isAuthorized: (head) => isAuthorized(head, state),
    nextTurn: () => state.turns.peek(),
    isStrict: () => state.isStrict,
    askedFault: (head) => (parts.mayAskForFaults() ? askedFault(head) : null),
    findTaker: takers.find
  }

  /** The request with its place in its conversation, and what writes that down. */
  const identified = (asked: ClassifiedRequest, entry: LogRecord): Identified => {
    const { endpoint, kind, head, body } = asked
    const known = attempts.begin(asked, entry.number)
    const find = once((): Conversation => known ?? identify({ ...asked, headers: head.headers }, parts.rules))
    const note = makeConversationNote({ known, find }, { entry, trace })
    const { conversation } = note
    return { request: { endpoint, kind, head, body, known, rules: parts.rules, conversation }, note }
  }

  const noteDecision = (copy: Copy, { request, entry, source, expectation, miss }: Noted): void =>
    trace.record({
      type: "decision",
      request: entry.number,
      actor: copy.id,
      endpoint: request.endpoint,
      kind: request.kind,
      source,
      expectation,
      miss
    })

  /** Carries a decision out, and says in log and trace where the answer comes from. */
  const decided = (decision: UnheldDecision, context: Deciding): Answer => {
    const { request, note, entry, watcher } = context
    const { source } = decision
    note.decided({ isTry: source !== "unauthorized" })
    const miss = isUnscripted(decision) ? explainMiss(book, request) : null
    const out = carryOut(decision, request, { parts, watcher, number: entry.number, takeQueued, miss, memo })
    const expectation = "expectation" in decision ? decision.expectation.data.name : null
    entry.answered({ source, expectation, kind: request.kind, miss })
    if (expectation === null) book.notePassedBy({ number: entry.number, request })
    return { ...out, started: (copy) => noteDecision(copy, { request, entry, source, expectation, miss }) }
  }

  return {
    state,
    takeQueued,
    unlogged: (response) => answer(planOf(wireResponse(response, state.profile), unpaced), unwatched),
    logged(request, response, source = "resource") {
      const { entry, watcher } = record(request)
      entry.answered({ source })
      return answer(planOf(response, unpaced), watcher)
    },
    ready: (response) => wireResponse(response, state.profile),
    inference(endpoint, passed) {
      const { entry, watcher: watch } = record(logOf(passed, endpointPaths[endpoint]))
      const { request, note } = identified(classify(endpoint, passed.head, passed.json ?? noBody), entry)
      const decision = decide(view, request)
      const { known } = request
      const watcher = known === null ? watch : watchAttempt(watch, known)
      if (decision.source !== "held") return decided(decision, { request, note, entry, watcher })
      const { taker } = decision
      const conversation = request.conversation()
      const held = watchHeld(watcher, `held by the test at ${taker.askedAt}`)
      takers.remove(taker)
      note.decided({ isTry: true })
      entry.answered({ source: "held", kind: request.kind })
      const started = (copy: Copy): void => {
        noteDecision(copy, { request, entry, source: "held", expectation: null, miss: null })
        taker.take({
          about: { ...aboutRequest(request, conversation), number: entry.number },
          copy,
          planOf: (response) =>
            planFor(wireResponse(response, state.profile), { ...unpaced, delayMs: state.chunkDelayMs }, request, parts),
          textOf: (text) => fallbackOf(request, state, text),
          decide() {
            // It may have come before attempts were counted; what it takes now may be the first of its call.
            const now = request.known === null && attempts.isOn() ? identified(request, entry) : { request, note }
            const { known: counted } = now.request
            const told = request.known === null && counted !== null ? watchAttempt(watch, counted) : watcher
            const again = decided(decideUnheld(view, now.request), { ...now, entry, watcher: told })
            held.become(again.watcher)
            again.started(copy)
            return again.plan
          }
        })
      }
      return { plan: heldPlan(), watcher: held.watcher, started }
    }
  }
}

/** A request of which it is known, or can be, who asks. */
interface Identified {
  readonly request: InferenceRequest
  readonly note: ConversationNote
}

/** A request that is being decided on. */
interface Deciding extends Identified {
  readonly entry: LogRecord
  readonly watcher: CopyWatcher
}

interface Noted extends Pick<Deciding, "request" | "entry"> {
  readonly source: AnswerSource
  readonly expectation: string | null
  readonly miss: string | null
}

/** What the test sees of the request that it holds. */
const aboutRequest = (
  { endpoint, kind, head, body, known }: InferenceRequest,
  { session, turn }: Conversation
): Omit<HeldParts["about"], "number"> => ({
  endpoint,
  kind,
  session,
  turn,
  attempt: known?.attempt ?? null,
  headers: head.headers,
  body: body.value
})

/** Inference routes always have a JSON body; the type of a passed request does not say so. */
const noBody: JsonBody = { text: "null", value: null }

const answer = (plan: Plan, watcher: CopyWatcher): Answer => ({ plan, watcher, started: () => {} })
