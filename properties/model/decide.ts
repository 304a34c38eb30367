import type { AnswerSource } from "../../src/domain/trace-event.ts"
import { modeAnswer, refusedAnswer } from "./built-in.ts"
import type { RequestSpec } from "./command.ts"
import { carriesKey, classOf, fingerprintOf } from "./request.ts"
import { type KnownAnswer, knownAnswer } from "./script.ts"
import { liveCall, type ModelExpectation, type ModelState, type QueuedScript } from "./state.ts"

/** Where an answer must come from, and what it is. */
export interface ModelDecision {
  readonly source: AnswerSource
  readonly expectation: ModelExpectation | null
  readonly answer: KnownAnswer
}

/**
 * The source of the answer to a request, by the order of section 2, taken out of the model's lists.
 *
 * **Source** inference-server.md, section 2
 */
export const decide = (model: ModelState, request: RequestSpec): ModelDecision => {
  const { profile } = model.setup
  const live = liveCall(model, fingerprintOf(request))
  if (live !== undefined) return { source: "replay", expectation: live, answer: live.answer }
  const pending = oldestPending(model, request)
  if (pending !== undefined) return { source: "expectation", expectation: pending, answer: pending.answer }
  const queued = takeQueued(model, request.endpoint)
  if (queued !== undefined) {
    return { source: "queue", expectation: null, answer: knownAnswer(queued.script, queued.label, profile) }
  }
  const settings = { profile, fixedText: model.fixedText, stopReason: model.stopReason }
  if (model.requiresKey && !carriesKey(request, profile)) {
    return { source: "unauthorized", expectation: null, answer: refusedAnswer(request, settings) }
  }
  const [turn = null, ...turns] = classOf(request).kind === "foreground" ? model.turns : []
  if (turn === null) return { source: "mode", expectation: null, answer: modeAnswer(request, settings, null) }
  model.turns = turns
  return { source: "turn", expectation: null, answer: modeAnswer(request, settings, turn) }
}

const oldestPending = (model: ModelState, request: RequestSpec): ModelExpectation | undefined => {
  const { endpoint, kind } = classOf(request)
  return model.expectations.find(
    ({ state, matcher }) => state === "pending" && matcher.endpoint === endpoint && matcher.kind === kind
  )
}

/** The head of a queue, which is then gone. */
export const takeQueued = (model: ModelState, queue: RequestSpec["endpoint"] | "Settings"): QueuedScript | undefined =>
  model.queues.get(queue)?.shift()
