import { delayMsMax } from "../domain/durations.ts"
import { conditionDefs } from "./scenario-condition-schema.ts"
import { expectationDefs } from "./scenario-expectation-schema.ts"
import { responseDefs } from "./scenario-response-schema.ts"
import { type Conforming, headerNameNode, type SchemaNode } from "./scenario-schema-node.ts"

const defs = {
  model: {
    description: "A model of the list: its id, or its id and what clients are told about it.",
    oneOf: [
      { type: "string", minLength: 1 },
      {
        type: "object",
        additionalProperties: false,
        required: ["id"],
        properties: {
          id: { type: "string", minLength: 1 },
          agentType: { type: "string" },
          apiBackend: { description: "responses, chat_completions or messages", type: "string" },
          supportsBackendSearch: { type: "boolean" },
          supportsReasoningEffort: { type: "boolean" },
          reasoningEffort: { type: "string" },
          reasoningEfforts: { description: "Strings, or objects with a `value`.", type: "array" }
        }
      }
    ]
  },
  ...responseDefs,
  ...conditionDefs,
  ...expectationDefs
} as const satisfies Readonly<Record<string, SchemaNode>>

const queue = { type: "array", items: { $ref: "#/$defs/response" } } as const satisfies SchemaNode

/**
 * The form of a scenario file as JSON Schema: editors complete files by it, `serve` checks them by it, and the types
 * below follow from it.
 *
 * @since 0.1.0
 * @category schemas
 */
export const scenarioSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Scenario of llm-understudy",
  description: "What `understudy serve --scenario FILE` answers. Everything may be left out.",
  type: "object",
  additionalProperties: false,
  properties: {
    $schema: { description: "For editors; ignored.", type: "string" },
    profile: {
      description: "full: as faithful as the providers; compact: byte-frozen. `--profile` wins over it.",
      enum: ["full", "compact"],
      default: "full"
    },
    apiKey: {
      description: "Requests that nothing scripted answers need this key. `--api-key` wins over it.",
      type: "string",
      pattern: "^[!-~]+$",
      patternErrorMessage: "must be visible ASCII without spaces, or no header could carry it",
      writeOnly: true
    },
    strict: {
      description:
        "Requests that nothing is scripted for are refused with an explanation instead of echoed. `--strict` wins over it.",
      type: "boolean",
      default: false
    },
    sessions: {
      description:
        "How the sessions and calls of clients are told apart; with it attempts are counted from the start. Read once: a reload keeps it.",
      type: "object",
      additionalProperties: false,
      properties: {
        sessionHeader: { description: "A header that names the session; asked before all others.", ...headerNameNode },
        idempotencyHeader: {
          description: "A header that names the call; `idempotency-key` by default.",
          ...headerNameNode
        },
        retries: {
          description: "own: a retry takes only what is scripted for its call. any: it takes what comes next.",
          enum: ["own", "any"],
          default: "own"
        }
      }
    },
    faultHeader: {
      description:
        "Whether a request may ask for a fault by `x-understudy-fault: NAME`; by default unless `strict`. `--fault-header` wins over it. Read once: a reload keeps it.",
      type: "boolean"
    },
    models: {
      description: "The model list; one `test-model` by default.",
      type: "array",
      items: { $ref: "#/$defs/model" }
    },
    settings: { description: "The answer of GET /v1/settings: any JSON value. 404 without." },
    userTier: { description: "The subscription tier of GET /v1/user.", type: "string", minLength: 1 },
    mode: {
      description: "What is answered where nothing is scripted: the echo of the last user message, or one text.",
      oneOf: [
        { enum: ["echo"] },
        {
          type: "object",
          additionalProperties: false,
          required: ["text"],
          properties: { text: { type: "string" } }
        }
      ],
      default: "echo"
    },
    chunkDelayMs: {
      description: "Pause before each event of a stream, in milliseconds.",
      type: "number",
      minimum: 0,
      maximum: delayMsMax
    },
    messagesStopReason: {
      description: "The stop reason of unscripted Messages answers.",
      type: "string",
      default: "end_turn"
    },
    turns: {
      description: "One text for each foreground request that no expectation and no queue answers.",
      type: "array",
      items: { type: "string" }
    },
    expectations: {
      description: "Scripted answers with names; the oldest that fits a request is taken.",
      type: "array",
      items: { $ref: "#/$defs/expectation" }
    },
    queues: {
      description: "Scripted answers by path, for whatever request comes next.",
      type: "object",
      additionalProperties: false,
      properties: {
        "/v1/chat/completions": queue,
        "/v1/responses": queue,
        "/v1/messages": queue,
        "/v1/settings": { type: "array", items: { $ref: "#/$defs/resourceResponse" } }
      }
    }
  },
  $defs: defs
} as const satisfies SchemaNode

type Defs = typeof defs

/** A scenario file that conforms to the schema. @since 0.1.0 @category models */
export type Scenario = Conforming<typeof scenarioSchema, Defs>
/** An answer of an inference path. @since 0.1.0 @category models */
export type ScenarioResponse = Conforming<Defs["response"], Defs>
/** An answer of any other path. @since 0.1.0 @category models */
export type ScenarioResourceResponse = Conforming<Defs["resourceResponse"], Defs>
/** @since 0.1.0 @category models */
export type ScenarioExpectation = Conforming<Defs["expectation"], Defs>
/** @since 0.1.0 @category models */
export type ScenarioAlternative = Conforming<Defs["alternative"], Defs>
/** @since 0.1.0 @category models */
export type ScenarioWhere = Conforming<Defs["where"], Defs>
/** @since 0.1.0 @category models */
export type ScenarioEnding = Conforming<Defs["anyEnding"], Defs>
/** @since 0.1.0 @category models */
export type ScenarioPacing = Conforming<Defs["pacing"], Defs>
/** @since 0.1.0 @category models */
export type ScenarioFault = Conforming<Defs["fault"], Defs>
/** @since 0.1.0 @category models */
export type ScenarioBarrier = Conforming<Defs["barrier"], Defs>
/** @since 0.1.0 @category models */
export type ScenarioModel = Conforming<Defs["model"], Defs>
