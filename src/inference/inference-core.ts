import type { SessionRules } from "../domain/conversation.ts"
import type { RequestHead } from "../domain/request.ts"
import type { Trace } from "../kernel/trace.ts"
import { makeAttempts } from "../serving/attempts.ts"
import { unwatched } from "../serving/copy.ts"
import type { Answer, Route } from "../serving/http-app.ts"
import { planOf, unpaced, wireResponse } from "../serving/scripted-plan.ts"
import type { Supervisor } from "../supervisor/supervisor.ts"
import type { AnswerParts } from "./answer-parts.ts"
import { makeAnswers } from "./answers.ts"
import { makeExpectationBook } from "./expectation-book.ts"
import { makeGate } from "./gate.ts"
import { handlers } from "./handlers.ts"
import { type LogBounds, makeRequestLog } from "./request-log.ts"
import { splitTarget } from "./routes.ts"
import type { ServerState } from "./server-state.ts"
import { makeTakers } from "./takers.ts"
import { passTransport, requestBytesMax } from "./transport.ts"
import { noteRefused } from "./unexpected.ts"

/**
 * The mock inference server without its port: state, decision, answers. Both worlds run it.
 *
 * @since 0.1.0
 * @category services
 */
export interface InferenceCore extends AnswerParts {
  readonly supervisor: Supervisor
  route(head: RequestHead): Route
}

/** @since 0.1.0 @category constructors */
export const makeInferenceCore = (options: {
  readonly supervisor: Supervisor
  readonly trace: Trace
  readonly state: ServerState
  readonly logBounds: LogBounds
  readonly wallMs: () => number
  readonly faultHeader?: boolean
  readonly sessions?: SessionRules
  readonly bodyBytesMax?: number
}): InferenceCore => {
  const { supervisor, trace, state, logBounds, bodyBytesMax = requestBytesMax } = options
  const book = makeExpectationBook({ supervisor, trace, profile: () => state.profile })
  const gate = makeGate(supervisor)
  const log = makeRequestLog(logBounds)
  const rules = options.sessions ?? {}
  const takers = makeTakers()
  const attempts = makeAttempts(rules, options.sessions !== undefined)
  const mayAskForFaults = (): boolean => options.faultHeader ?? !state.isStrict
  const { wallMs } = options
  const parts: AnswerParts = { state, book, gate, log, trace, takers, attempts, rules, wallMs, mayAskForFaults }
  const answers = makeAnswers(parts)
  return {
    ...parts,
    supervisor,
    route: (head) =>
      passTransport(head, {
        profile: state.profile,
        bytesMax: bodyBytesMax,
        refuse: (refused, response): Answer => {
          const { path } = splitTarget(refused.target)
          trace.record({ type: "refused", method: refused.method, path, status: response.status })
          noteRefused(state, refused, response.status)
          return { plan: planOf(wireResponse(response, state.profile), unpaced), watcher: unwatched, started: () => {} }
        },
        handle: (request) => handlers[request.row.name](request, answers)
      })
  }
}
