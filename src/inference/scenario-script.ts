import { type Barrier, placeBarriers } from "../domain/barrier.ts"
import { checkScript } from "../domain/check-script.ts"
import { endpointPaths, inferenceEndpoints, type WireProfile } from "../domain/endpoint.ts"
import { InvalidScript } from "../domain/errors.ts"
import { member } from "../domain/json.ts"
import type { InferenceRequestMatcher } from "../domain/matcher.ts"
import { MockModelEntry } from "../domain/model-entry.ts"
import type { ScriptedResponse } from "../domain/scripted-response.ts"
import type { ResponseMode } from "./fallback.ts"
import { checkSchema, conforms } from "./scenario-check.ts"
import { problemAt, type ScenarioPath, type ScenarioProblem } from "./scenario-problem.ts"
import { type AnswerContext, resourceResponse, scenarioResponse } from "./scenario-response.ts"
import { type Scenario, type ScenarioBarrier, type ScenarioModel, scenarioSchema } from "./scenario-schema.ts"

const { $defs: defs } = scenarioSchema

/** What a scenario sets on a server, ready to be registered. `settings` is `null` where the file has none. */
export interface ScenarioScript {
  readonly profile: WireProfile
  readonly token: string | null
  readonly models: ReadonlyArray<MockModelEntry>
  readonly settings: { readonly value: unknown } | null
  readonly userTier: string | null
  readonly mode: ResponseMode
  readonly chunkDelayMs: number | null
  readonly messagesStopReason: string
  readonly turns: ReadonlyArray<string>
  readonly expectations: ReadonlyArray<ScriptedExpectation>
  readonly queued: ReadonlyArray<QueuedResponse>
}

/** One expectation of a scenario, ready to be registered. */
export interface ScriptedExpectation {
  readonly name: string
  readonly matcher: InferenceRequestMatcher
  readonly response: ScriptedResponse
  readonly barriers: ReadonlyArray<Barrier>
}

/** One queued response of a scenario and its path. */
export interface QueuedResponse {
  readonly path: string
  readonly response: ScriptedResponse
}

/** What the command line says; it wins over the file. */
export interface ScenarioOverrides {
  readonly profile?: WireProfile | undefined
  readonly token?: string | undefined
}

/** What came of reading a scenario: the script, or every problem. */
export type ScenarioReading =
  | { readonly ok: true; readonly script: ScenarioScript }
  | { readonly ok: false; readonly problems: ReadonlyArray<ScenarioProblem> }

/**
 * Reads the value of a scenario file: its form by the schema, then all that only building the answers shows. Nothing is
 * registered here, so a bad file changes nothing.
 *
 * **Gives** every problem at once, of the entries that are well-formed also those of meaning
 *
 * @since 0.1.0
 * @category encoding
 */
export const readScenario = (value: unknown, overrides: ScenarioOverrides = {}): ScenarioReading => {
  const problems = [...checkSchema(scenarioSchema, { value, defs, path: [] })]
  const profile = overrides.profile ?? (member(value, "profile") === "compact" ? "compact" : "full")
  const context = { profile, model: firstModel(member(value, "models")) }
  const expectations = readExpectations(member(value, "expectations"), context, problems)
  const queued = readQueues(member(value, "queues"), context, problems)
  if (!isScenario(value, problems)) return { ok: false, problems }
  return { ok: true, script: { ...basics(value, overrides), profile, expectations, queued } }
}

/** What the schema had nothing against. */
const isScenario = (value: unknown, problems: ReadonlyArray<ScenarioProblem>): value is Scenario =>
  value !== undefined && problems.length === 0

type Basics = Omit<ScenarioScript, "profile" | "expectations" | "queued">

const basics = (scenario: Scenario, overrides: ScenarioOverrides): Basics => ({
  token: overrides.token ?? scenario.apiKey ?? null,
  models: scenario.models?.map(modelOf) ?? [MockModelEntry.new(modelDefault)],
  settings: Object.hasOwn(scenario, "settings") ? { value: scenario.settings } : null,
  userTier: scenario.userTier ?? null,
  mode: typeof scenario.mode === "object" ? { kind: "fixed", text: scenario.mode.text } : { kind: "echo" },
  chunkDelayMs: scenario.chunkDelayMs ?? null,
  messagesStopReason: scenario.messagesStopReason ?? "end_turn",
  turns: scenario.turns ?? []
})

const modelDefault = "test-model"

const modelOf = (written: ScenarioModel): MockModelEntry => {
  if (typeof written === "string") return MockModelEntry.new(written)
  const { id, agentType, ...rest } = written
  return { ...MockModelEntry.withAgentType(id, agentType ?? null), ...rest }
}

const firstModel = (models: unknown): string => {
  const first: unknown = Array.isArray(models) ? models[0] : undefined
  const id = typeof first === "string" ? first : member(first, "id")
  return typeof id === "string" ? id : modelDefault
}

type Context = Omit<AnswerContext, "endpoint">

const entriesOf = (entries: unknown): ReadonlyArray<readonly [index: number, entry: unknown]> =>
  Array.isArray(entries) ? [...entries.entries()] : []

const readExpectations = (
  entries: unknown,
  context: Context,
  problems: Array<ScenarioProblem>
): ReadonlyArray<ScriptedExpectation> => {
  const indexes = new Map<string, number>()
  return entriesOf(entries).flatMap(([index, value]) => {
    // What the schema refuses is passed over here: its problems are told already.
    if (!conforms(value, defs.expectation, defs)) return []
    const { name, endpoint, kind, response: written, barriers: positions = [] } = value
    const path = ["expectations", index]
    const earlier = indexes.get(name)
    if (earlier === undefined) indexes.set(name, index)
    else
      problems.push(
        problemAt([...path, "name"], `${JSON.stringify(name)} is already the name of expectations[${earlier}]`)
      )
    const response = scenarioResponse(written, { ...context, endpoint })
    const barriers = positions.map(barrierOf)
    const found = [
      ...refused([...path, "response"], () => checkScript(response)),
      ...barrierProblems(barriers, response, [...path, "barriers"])
    ]
    for (const problem of found) problems.push(problem)
    return [{ name, matcher: { endpoint, kind }, response, barriers }]
  })
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

const readQueues = (
  queues: unknown,
  context: Context,
  problems: Array<ScenarioProblem>
): ReadonlyArray<QueuedResponse> => {
  const read = (path: string, respond: (value: unknown) => ScriptedResponse | null): ReadonlyArray<QueuedResponse> =>
    entriesOf(member(queues, path)).flatMap(([index, value]) => {
      const response = respond(value)
      if (response === null) return []
      problems.push(...refused(["queues", path, index], () => checkScript(response)))
      return [{ path, response }]
    })
  return [
    ...inferenceEndpoints.flatMap((endpoint) =>
      read(endpointPaths[endpoint], (value) =>
        conforms(value, defs.response, defs) ? scenarioResponse(value, { ...context, endpoint }) : null
      )
    ),
    ...read("/v1/settings", (value) => (conforms(value, defs.resourceResponse, defs) ? resourceResponse(value) : null))
  ]
}

const refused = (path: ScenarioPath, attempt: () => void): ReadonlyArray<ScenarioProblem> => {
  try {
    attempt()
    return []
  } catch (error) {
    if (error instanceof InvalidScript) return [problemAt(path, error.message)]
    throw error
  }
}
