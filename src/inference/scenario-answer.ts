import { checkScript } from "../domain/check-script.ts"
import { InvalidScript } from "../domain/errors.ts"
import { cutProblem, type ScriptedResponse } from "../domain/scripted-response.ts"
import { problemAt, type ScenarioPath, type ScenarioProblem } from "./scenario-problem.ts"
import { type AnswerContext, resourceResponse, scenarioResponse } from "./scenario-response.ts"
import type { ScenarioEnding, ScenarioResourceResponse, ScenarioResponse } from "./scenario-schema.ts"

/** An answer that can be registered, as far as `problems` is empty. */
export interface ReadAnswer {
  readonly response: ScriptedResponse
  readonly problems: ReadonlyArray<ScenarioProblem>
}

/**
 * Builds an answer of an inference path and checks all of it that the schema cannot: that it can be served, and that
 * it has the event or byte after which it is cut.
 *
 * @since 0.1.0
 * @category encoding
 */
export const readAnswer = (written: ScenarioResponse, context: AnswerContext, path: ScenarioPath): ReadAnswer =>
  checkedAnswer(scenarioResponse(written, context), endingOf(written), path)

/** The same for any other path. */
export const readResourceAnswer = (written: ScenarioResourceResponse, path: ScenarioPath): ReadAnswer =>
  checkedAnswer(resourceResponse(written), endingOf(written), path)

/** What a check of the library says, as problems at a path. */
export const refused = (path: ScenarioPath, attempt: () => void): ReadonlyArray<ScenarioProblem> => {
  try {
    attempt()
    return []
  } catch (error) {
    if (error instanceof InvalidScript) return [problemAt(path, error.message)]
    throw error
  }
}

const endingOf = (written: ScenarioResponse): ScenarioEnding =>
  typeof written === "object" && "ending" in written ? (written.ending ?? "end") : "end"

const checkedAnswer = (whole: ScriptedResponse, ending: ScenarioEnding, path: ScenarioPath): ReadAnswer => {
  const problems = refused(path, () => checkScript(whole))
  if (typeof ending === "string" || problems.length > 0) return { response: whole, problems }
  const [key, cut] =
    "afterEvent" in ending
      ? (["afterEvent", cutAfterEvents(whole, ending.afterEvent)] as const)
      : (["afterBytes", cutAfterBytes(whole, ending.afterBytes)] as const)
  const at = [...path, "ending", key]
  if (typeof cut === "string") return { response: whole, problems: [problemAt(at, cut)] }
  return { response: cut, problems: refused(at, () => checkScript(cut)) }
}

/** The first so many events of a stream, or why there are not so many. */
const cutAfterEvents = (response: ScriptedResponse, count: number): ScriptedResponse | string => {
  const { body } = response
  if (body.kind !== "sse")
    return `cannot be ${count}, for a ${body.kind} body has no events; give "afterBytes", or leave out "stream": false`
  const problem = cutProblem(count, body.events.length)
  if (problem !== null) return problem
  return { ...response, body: { ...body, events: body.events.slice(0, count) } }
}

/** The first so many bytes of a whole body, or why there are none. That there are so many is checked with the rest. */
const cutAfterBytes = (response: ScriptedResponse, count: number): ScriptedResponse | string =>
  response.body.kind === "sse"
    ? `cannot be ${count}, for a stream is cut after an event; give "afterEvent", or "stream": false`
    : { ...response, cutBytes: count }
