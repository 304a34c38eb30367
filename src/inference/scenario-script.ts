import type { SessionRules } from "../domain/conversation.ts"
import { endpointPaths, inferenceEndpoints, type WireProfile } from "../domain/endpoint.ts"
import { member } from "../domain/json.ts"
import { MockModelEntry } from "../domain/model-entry.ts"
import type { ScriptedResponse } from "../domain/scripted-response.ts"
import type { ResponseMode } from "./fallback.ts"
import { type ReadAnswer, readAnswer, readResourceAnswer } from "./scenario-answer.ts"
import { checkSchema, conforms } from "./scenario-check.ts"
import { type ExpectationContext, readExpectations, type ScriptedExpectation } from "./scenario-expectation.ts"
import type { ScenarioPath, ScenarioProblem } from "./scenario-problem.ts"
import { type Scenario, type ScenarioModel, scenarioSchema } from "./scenario-schema.ts"
import type { ServerOptions } from "./server-api.ts"

const { $defs: defs } = scenarioSchema

/**
 * What a scenario sets on a server, ready to be registered; `null` where the file has none. A server takes `sessions` and
 * `faultHeader` only when it starts: `startOptions`.
 */
export interface ScenarioScript {
  readonly profile: WireProfile
  readonly token: string | null
  readonly isStrict: boolean
  readonly sessions: SessionRules | null
  readonly faultHeader: boolean | null
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

/** One queued response of a scenario and its path. */
export interface QueuedResponse {
  readonly path: string
  readonly response: ScriptedResponse
}

/** What the command line says; it wins over the file. */
export interface ScenarioOverrides {
  readonly profile?: WireProfile | undefined
  readonly token?: string | undefined
  /** Strict whatever the file says; the line has no word for the opposite. */
  readonly strict?: boolean | undefined
  readonly faultHeader?: boolean | undefined
}

/**
 * What a server has to be started with, for it takes that at no other time.
 *
 * @since 0.1.0
 * @category running
 */
export const startOptions = ({
  sessions,
  faultHeader
}: Pick<ScenarioScript, "sessions" | "faultHeader">): Pick<ServerOptions, "sessions" | "faultHeader"> => ({
  ...(sessions === null ? {} : { sessions }),
  ...(faultHeader === null ? {} : { faultHeader })
})

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
  isStrict: overrides.strict === true || scenario.strict === true,
  sessions: scenario.sessions ?? null,
  faultHeader: overrides.faultHeader ?? scenario.faultHeader ?? null,
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

const entriesOf = (entries: unknown): ReadonlyArray<readonly [index: number, entry: unknown]> =>
  Array.isArray(entries) ? [...entries.entries()] : []

const readQueues = (
  queues: unknown,
  context: ExpectationContext,
  problems: Array<ScenarioProblem>
): ReadonlyArray<QueuedResponse> => {
  const read = (path: string, respond: (value: unknown, at: ScenarioPath) => ReadAnswer | null) =>
    entriesOf(member(queues, path)).flatMap(([index, value]): ReadonlyArray<QueuedResponse> => {
      const answer = respond(value, ["queues", path, index])
      if (answer === null) return []
      problems.push(...answer.problems)
      return [{ path, response: answer.response }]
    })
  return [
    ...inferenceEndpoints.flatMap((endpoint) =>
      read(endpointPaths[endpoint], (value, at) =>
        conforms(value, defs.response, defs) ? readAnswer(value, { ...context, endpoint }, at) : null
      )
    ),
    ...read("/v1/settings", (value, at) =>
      conforms(value, defs.resourceResponse, defs) ? readResourceAnswer(value, at) : null
    )
  ]
}
