import { ScriptedResponse } from "../domain/scripted-response.ts"
import type { AnswerSource } from "../domain/trace-event.ts"
import type { Answer } from "../serving/http-app.ts"
import type { WireResponse } from "../serving/scripted-plan.ts"
import type { Answers } from "./answers.ts"
import { isAuthorized } from "./auth.ts"
import { logOf } from "./logged-request.ts"
import { refusals } from "./refusals.ts"
import { countedTokens, modelList, oneModel, privacyValue, settingsValue, storeUpload, userValue } from "./resources.ts"
import type { RouteName } from "./routes.ts"
import type { PassedRequest } from "./transport.ts"

/** What answers the requests of one route. */
export type Handler = (request: PassedRequest, answers: Answers) => Answer

/**
 * The handler of each route.
 *
 * **Source** inference-server.md, sections 1 and 8
 *
 * @since 0.1.0
 * @category routing
 */
export const handlers: Readonly<Record<RouteName, Handler>> = {
  ChatCompletions: (request, answers) => answers.inference("ChatCompletions", request),
  Responses: (request, answers) => answers.inference("Responses", request),
  Messages: (request, answers) => answers.inference("Messages", request),
  countTokens: (request, answers) =>
    answers.logged(logOf(request, "/v1/messages/count_tokens"), answers.ready(countedTokens(request.bytes.byteLength))),
  models: (request, answers) =>
    hangable(request, answers, "/v1/models", () => resource(answers, modelList(answers.state, request.query))),
  model: (request, answers) =>
    hangable(request, answers, `/v1/models/${request.id}`, () =>
      resource(answers, oneModel(answers.state, request.head, request.id))
    ),
  settings: (request, answers) =>
    hangable(request, answers, "/v1/settings", () => {
      const queued = answers.takeQueued("/v1/settings")
      return queued === undefined
        ? resource(answers, settingsValue(answers.state))
        : { response: queued, source: "queue" }
    }),
  user: (request, answers) => {
    const path = request.query === "" ? "/v1/user" : `/v1/user?${request.query}`
    return answers.logged(logOf(request, path), answers.ready(userValue(answers.state)))
  },
  privacy: (request, answers) =>
    answers.logged(
      logOf(request, "/v1/privacy/coding-data-retention"),
      answers.ready(privacyValue(request.json?.value))
    ),
  sessionData: (request, answers) => writeBack(request, answers, `/sessions/${request.id}/data`),
  session: (request, answers) => writeBack(request, answers, `/sessions/${request.id}`),
  storage: (request, answers) => answers.unlogged(storeUpload(answers.state, request.head, request.bytes)),
  storageProbe: (_, answers) => answers.unlogged(ScriptedResponse.empty(404)),
  root: (_, answers) => answers.unlogged(ScriptedResponse.text(200, "understudy is ready\n"))
}

/** A response and where it came from. */
interface Sourced {
  readonly response: WireResponse
  readonly source: AnswerSource
}

const resource = (answers: Answers, response: ScriptedResponse): Sourced => ({
  response: answers.ready(response),
  source: "resource"
})

/** While the server hangs these are logged and never answered. */
const hangable = (request: PassedRequest, answers: Answers, path: string, respond: () => Sourced): Answer => {
  const { response, source } = answers.state.isHanging ? resource(answers, ScriptedResponse.hangUp("stall")) : respond()
  return answers.logged(logOf(request, path), response, source)
}

const writeBack = (request: PassedRequest, answers: Answers, path: string): Answer => {
  const { state } = answers
  if (!isAuthorized(request.head, state)) return answers.unlogged(refusals.unauthorized(null, state.profile))
  return answers.logged(logOf(request, path), answers.ready(ScriptedResponse.empty(200)))
}
