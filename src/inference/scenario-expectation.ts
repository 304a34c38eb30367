import { type Barrier, placeBarriers } from "../domain/barrier.ts"
import type { InferenceEndpoint } from "../domain/endpoint.ts"
import { InferenceRequestMatcher } from "../domain/matcher.ts"
import type { ScriptedResponse } from "../domain/scripted-response.ts"
import { readAnswer, refused } from "./scenario-answer.ts"
import { conforms } from "./scenario-check.ts"
import { scenarioConditions } from "./scenario-condition.ts"
import { makeNames } from "./scenario-names.ts"
import { problemAt, type ScenarioPath, type ScenarioProblem } from "./scenario-problem.ts"
import type { AnswerContext } from "./scenario-response.ts"
import {
  type ScenarioAlternative,
  type ScenarioBarrier,
  type ScenarioExpectation,
  type ScenarioResponse,
  scenarioSchema
} from "./scenario-schema.ts"
import type { Alternative } from "./server-api.ts"

const { $defs: defs } = scenarioSchema

/** One expectation of a scenario, ready to be registered; so many times, or once and without a number in its name. */
export interface ScriptedExpectation {
  readonly name: string
  readonly times: number | null
  readonly answer: ExpectedAnswer
}

/** One answer, one for each try of a call, or several of which one is given. */
export type ExpectedAnswer =
  | ({ readonly kind: "response" } & ExpectedResponse)
  | {
      readonly kind: "attempts"
      readonly matcher: InferenceRequestMatcher
      readonly responses: ReadonlyArray<ScriptedResponse>
    }
  | { readonly kind: "anyOf"; readonly alternatives: ReadonlyArray<ExpectedResponse> }

/** An alternative with its barriers, if it has any. */
export type ExpectedResponse = Required<Alternative>

/** What answers are built with, whatever their endpoint. */
export type ExpectationContext = Omit<AnswerContext, "endpoint">

/**
 * Reads the expectations of a scenario. What the schema refuses is passed over: its problems are told already.
 *
 * **Takes** the value in its place, and the list that problems are added to
 *
 * @since 0.1.0
 * @category encoding
 */
export const readExpectations = (
  entries: unknown,
  context: ExpectationContext,
  problems: Array<ScenarioProblem>
): ReadonlyArray<ScriptedExpectation> => {
  if (!Array.isArray(entries)) return []
  const names = makeNames()
  return entries.flatMap((value: unknown, index) => {
    if (!conforms(value, defs.expectation, defs)) return []
    const path = ["expectations", index]
    const reading: Reading = { context, problems }
    const expectation = { name: value.name, times: value.times ?? null, answer: readExpected(value, reading, path) }
    problems.push(...names.add(expectation, path))
    return [expectation]
  })
}

interface Reading {
  readonly context: ExpectationContext
  readonly problems: Array<ScenarioProblem>
}

const readExpected = (written: ScenarioExpectation, reading: Reading, path: ScenarioPath): ExpectedAnswer => {
  if ("anyOf" in written) {
    const alternatives = written.anyOf.flatMap((alternative, index) =>
      readAlternative(alternative, reading, [...path, "anyOf", index])
    )
    return { kind: "anyOf", alternatives }
  }
  if ("attempts" in written) return readAttempts(written, reading, path)
  const alternatives = readAlternative(written, reading, path)
  const [only] = alternatives
  return only !== undefined && alternatives.length === 1
    ? { kind: "response", ...only }
    : { kind: "anyOf", alternatives }
}

/** One answer and whom it is for: where its form is that of an API, once for each. */
const readAlternative = (
  written: ScenarioAlternative,
  { context, problems }: Reading,
  path: ScenarioPath
): ReadonlyArray<ExpectedResponse> => {
  const endpoints = endpointsOf(written)
  const barriers = (written.barriers ?? []).map(barrierOf)
  const groups: ReadonlyArray<Endpoints> = isOfAnApi(written.response)
    ? endpoints.map((endpoint) => [endpoint])
    : [endpoints]
  const read = groups.map((group) => {
    const answer = readAnswer(written.response, { ...context, endpoint: firstOf(group) }, [...path, "response"])
    const found = [...answer.problems, ...barrierProblems(barriers, answer.response, [...path, "barriers"])]
    return { found, expected: { matcher: matcherOf(written, group), response: answer.response, barriers } }
  })
  // What is wrong in one API is told once, and most often wrong in all.
  problems.push(...(read.find(({ found }) => found.length > 0)?.found ?? []))
  return read.map(({ expected }) => expected)
}

type WrittenAttempts = Extract<ScenarioExpectation, { readonly attempts: unknown }>

const readAttempts = (written: WrittenAttempts, { context, problems }: Reading, path: ScenarioPath): ExpectedAnswer => {
  const endpoints = endpointsOf(written)
  if (written.where?.attempt !== undefined) {
    const message =
      'is of no use beside "attempts", which are one for each already; leave it out, or give each attempt an expectation with a "response"'
    problems.push(problemAt([...path, "where", "attempt"], message))
  }
  const bound = written.attempts.findIndex(isOfAnApi)
  if (endpoints.length > 1 && bound >= 0) {
    const message = `are ${endpoints.length}, and attempts[${bound}] has the form of one API; give one endpoint, or write all attempts as "fault", "sse", "json", "raw", "hangUp" or "status"`
    problems.push(problemAt([...path, "endpoint"], message))
  }
  const responses = written.attempts.map((attempt, index) => {
    const answer = readAnswer(attempt, { ...context, endpoint: firstOf(endpoints) }, [...path, "attempts", index])
    problems.push(...answer.problems)
    return answer.response
  })
  return { kind: "attempts", matcher: matcherOf(written, endpoints), responses }
}

type Endpoints = readonly [InferenceEndpoint, ...ReadonlyArray<InferenceEndpoint>]

const endpointsOf = ({ endpoint }: Pick<ScenarioAlternative, "endpoint">): Endpoints => {
  const [first, ...others] = new Set(typeof endpoint === "string" ? [endpoint] : endpoint)
  if (first === undefined) throw new Error("the schema lets no empty list of endpoints pass")
  return [first, ...others]
}

const firstOf = ([first]: Endpoints): InferenceEndpoint => first

/** Whether the bytes of an answer depend on the API. */
const isOfAnApi = (written: ScenarioResponse): boolean =>
  typeof written === "string" || "text" in written || "toolCalls" in written || "error" in written

const matcherOf = (
  { kind, where }: Pick<ScenarioAlternative, "kind" | "where">,
  endpoints: Endpoints
): InferenceRequestMatcher => {
  const base = InferenceRequestMatcher[kind](...endpoints)
  return where === undefined ? base : InferenceRequestMatcher.where(base, ...scenarioConditions(where))
}

const barrierOf = (written: ScenarioBarrier): Barrier => (typeof written === "string" ? { at: written } : written)

/** More barriers of one answer are nobody's script, and each is compared with all others when it is registered. */
const barriersMax = 1_000

/** Each barrier is placed by itself, so that each problem is told where it is. */
const barrierProblems = (
  barriers: ReadonlyArray<Barrier>,
  response: ScriptedResponse,
  path: ScenarioPath
): ReadonlyArray<ScenarioProblem> => {
  if (barriers.length > barriersMax)
    return [problemAt(path, `are ${barriers.length} barriers; an answer has at most ${barriersMax}`)]
  const names = new Set<string>()
  return barriers.flatMap((barrier, index) =>
    refused([...path, index], () => {
      for (const { name } of placeBarriers([barrier], response)) {
        if (names.has(name)) placeBarriers([barrier, barrier], response)
        names.add(name)
      }
    })
  )
}
