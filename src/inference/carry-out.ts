import { endpointPaths } from "../domain/endpoint.ts"
import type { Plan } from "../domain/plan.ts"
import { ScriptedResponse } from "../domain/scripted-response.ts"
import type { AskedFault } from "../faults/catalogue/fault-header.ts"
import type { CopyWatcher } from "../serving/copy.ts"
import { type PlanTerms, planOf, unpaced, type WireResponse, wireResponse } from "../serving/scripted-plan.ts"
import type { AnswerParts } from "./answer-parts.ts"
import type { UnheldDecision } from "./decision.ts"
import { type Expectation, planForCopy } from "./expectation.ts"
import { fallbackResponse } from "./fallback.ts"
import { faultAnswerPlan } from "./fault-answer.ts"
import type { InferenceRequest } from "./inference-request.ts"
import type { PlanMemo } from "./plan-memo.ts"
import { apiError, refusals } from "./refusals.ts"
import type { ServerState } from "./server-state.ts"
import { noteUnexpected } from "./unexpected.ts"
import { watchCall } from "./watchers.ts"

/**
 * Consumes what was decided for, and gives the plan of the copy and who is told about it.
 *
 * @since 0.1.0
 * @category decisions
 */
export const carryOut = (
  decision: UnheldDecision,
  request: InferenceRequest,
  options: {
    readonly parts: AnswerParts
    readonly watcher: CopyWatcher
    /** Its number. */
    readonly number: number
    readonly takeQueued: (path: string) => WireResponse | undefined
    readonly memo: PlanMemo
    /** Why no expectation took it, where that was explained. */
    readonly miss: string | null
  }
): { readonly plan: Plan; readonly watcher: CopyWatcher } => {
  const { state, book } = options.parts
  const { watcher, takeQueued, miss, number, memo } = options
  const delayMs = state.chunkDelayMs
  const planned = (response: WireResponse, terms: PlanTerms): Plan => planFor(response, terms, request, options.parts)
  const planOfCall = ({ data }: Expectation): Plan =>
    planForCopy(data, delayMs, () => planned(data.response, { delayMs: null, barriers: data.barriers, owner: "call" }))
  switch (decision.source) {
    // The plan comes first: what cannot be planned has then consumed nothing.
    case "replay": {
      const plan = planOfCall(decision.expectation)
      book.join(decision.expectation)
      request.known?.joined()
      return {
        plan,
        watcher: watchCall(watcher, { request: number, expectation: decision.expectation, isPrimary: false })
      }
    }
    case "expectation": {
      const plan = planOfCall(decision.expectation)
      book.claim(decision.expectation, decision.fingerprint, request.known)
      return {
        plan,
        watcher: watchCall(watcher, { request: number, expectation: decision.expectation, isPrimary: true })
      }
    }
    case "queue": {
      const plan = planned(decision.response, pacing(decision.response, request, delayMs))
      takeQueued(endpointPaths[request.endpoint])
      return { plan, watcher }
    }
    case "fault":
      return { plan: planned(wireResponse(askedResponse(decision.asked, request), state.profile), unpaced), watcher }
    case "unauthorized": {
      const { endpoint } = request
      request.known?.withdrawn()
      if (miss !== null) noteUnexpected(state, `${endpointPaths[endpoint]}, without a valid key: ${miss}`)
      const response = wireResponse(refusals.unauthorized(endpoint, state.profile, miss), state.profile)
      return { plan: planOf(response, unpaced), watcher }
    }
    case "unexpected": {
      const { endpoint } = request
      noteUnexpected(state, `${endpointPaths[endpoint]}: ${miss}`)
      return { plan: planOf(wireResponse(refusals.unexpected(endpoint, miss ?? ""), state.profile), unpaced), watcher }
    }
    case "turn": {
      const plan = fallbackPlan(request, state, decision.text)
      state.turns.shift()
      return { plan, watcher }
    }
    case "mode":
      return { plan: memo.planFor(request, () => fallbackPlan(request, state, undefined)), watcher }
  }
}

/** The plan of a response to this request; only faults look at it. */
export const planFor = (
  response: WireResponse,
  terms: PlanTerms,
  request: InferenceRequest,
  parts: AnswerParts
): Plan =>
  response.fault === null
    ? planOf(response, terms)
    : faultAnswerPlan(response.fault, request, {
        profile: parts.state.profile,
        wallMs: parts.wallMs(),
        barriers: terms.barriers,
        owner: terms.owner
      })

/** What a request asked for by a header, or why it cannot have it. */
const askedResponse = (asked: AskedFault, { endpoint }: InferenceRequest): ScriptedResponse =>
  "problem" in asked ? apiError(endpoint, 400, asked.problem) : ScriptedResponse.fault(asked.behavior, asked.options)

/** Streams of a turn wait at the completion gate before their last step; nothing else does. */
const pacing = (response: WireResponse, request: InferenceRequest, delayMs: number | null): PlanTerms => ({
  delayMs: response.body.kind === "frames" ? delayMs : null,
  barriers:
    (response.body.kind === "frames" || response.fault !== null) && request.kind === "foreground"
      ? [{ name: "completion", place: "terminal" }]
      : [],
  owner: "gate"
})

const fallbackPlan = (request: InferenceRequest, state: ServerState, turn: string | undefined): Plan => {
  const response = wireResponse(fallbackOf(request, state, turn), state.profile)
  return planOf(response, pacing(response, request, state.chunkDelayMs))
}

/** The answer of a mode or an agent turn; with `turn` that text. */
export const fallbackOf = (request: InferenceRequest, state: ServerState, turn: string | undefined): ScriptedResponse =>
  fallbackResponse(request.body.value, {
    endpoint: request.endpoint,
    profile: state.profile,
    mode: state.mode,
    stopReason: state.stopReason,
    turn
  })
