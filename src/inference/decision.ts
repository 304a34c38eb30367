import type { Conversation } from "../domain/conversation.ts"
import { endpointPaths } from "../domain/endpoint.ts"
import { type Fingerprint, fingerprint } from "../domain/fingerprint.ts"
import type { RequestHead } from "../domain/request.ts"
import type { AskedFault } from "../faults/catalogue/fault-header.ts"
import type { WireResponse } from "../serving/scripted-plan.ts"
import { isOwnOnly } from "./attempt-rule.ts"
import type { Expectation } from "./expectation.ts"
import type { ExpectationBook } from "./expectation-book.ts"
import type { InferenceRequest } from "./inference-request.ts"
import type { Taker } from "./takers.ts"

/**
 * Where the answer comes from. Nothing is changed by deciding, though who asks is written in the trace when something wants
 * to know; `answers.ts` carries the decision out in the same step.
 *
 * @since 0.1.0
 * @category decisions
 */
export type Decision =
  | { readonly source: "replay"; readonly expectation: Expectation }
  | { readonly source: "held"; readonly taker: Taker; readonly conversation: Conversation }
  | { readonly source: "expectation"; readonly expectation: Expectation; readonly fingerprint: Fingerprint | null }
  | { readonly source: "fault"; readonly asked: AskedFault }
  | { readonly source: "queue"; readonly response: WireResponse }
  /** It has no valid key. `isUnscripted`: and with one it would be unexpected. */
  | { readonly source: "unauthorized"; readonly isUnscripted: boolean }
  | { readonly source: "turn"; readonly text: string }
  | { readonly source: "mode" }
  | { readonly source: "unexpected" }

/** The plain data that a decision looks at. */
export interface DecisionView {
  readonly book: ExpectationBook
  /** A test that waits to take this request into its hand. */
  findTaker(request: InferenceRequest): { readonly taker: Taker; readonly conversation: Conversation } | undefined
  /** The head of the queue of a path. */
  queued(path: string): WireResponse | undefined
  isAuthorized(head: RequestHead): boolean
  /** The fault that a request asks for by a header. */
  askedFault(head: RequestHead): AskedFault | null
  nextTurn(): string | undefined
  /** Whether a request that nothing was scripted for is refused. */
  readonly isStrict: () => boolean
}

/**
 * The first source that applies of: live call, fault asked for by header, hand-held call, expectation, queue, refused by auth, agent turn, mode. A
 * retry takes nothing from queue and agent turns: they are for the next call.
 *
 * **Source** inference-server.md, section 2, steps 4 to 9
 *
 * @since 0.1.0
 * @category decisions
 */
export const decide = (view: DecisionView, request: InferenceRequest): Decision => {
  const unheld = decideUnheld(view, request)
  if (unheld.source === "replay" || unheld.source === "fault") return unheld
  const held = view.findTaker(request)
  return held === undefined ? unheld : { source: "held", ...held }
}

/** A decision that no test takes into its hand. */
export type UnheldDecision = Exclude<Decision, { readonly source: "held" }>

/** Whether a strict server has nothing scripted for the request, whatever it is refused for. */
export const isUnscripted = (decision: UnheldDecision): boolean =>
  decision.source === "unexpected" || (decision.source === "unauthorized" && decision.isUnscripted)

/** The same without asking whether a test wants to hold the request. */
export const decideUnheld = (view: DecisionView, request: InferenceRequest): UnheldDecision => {
  const print = view.book.needsFingerprint(request)
    ? fingerprint(request, request.head.headers, request.body.text)
    : null
  const live = print === null ? undefined : view.book.live(print)
  if (live !== undefined) return { source: "replay", expectation: live }
  const asked = view.askedFault(request.head)
  if (asked !== null) return { source: "fault", asked }
  const expectation = view.book.oldestPending(request)
  if (expectation !== undefined) return { source: "expectation", expectation, fingerprint: print }
  const mayTakeNext = !isOwnOnly(request)
  const response = mayTakeNext ? view.queued(endpointPaths[request.endpoint]) : undefined
  if (response !== undefined) return { source: "queue", response }
  const text = mayTakeNext && request.kind === "foreground" ? view.nextTurn() : undefined
  if (!view.isAuthorized(request.head)) {
    return { source: "unauthorized", isUnscripted: text === undefined && view.isStrict() }
  }
  if (text !== undefined) return { source: "turn", text }
  return { source: view.isStrict() ? "unexpected" : "mode" }
}
