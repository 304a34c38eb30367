import { inferenceEndpoints } from "../domain/endpoint.ts"
import type { SchemaNode } from "./scenario-schema-node.ts"

/** So many expectations may come of one scenario, each of `times`, `attempts` and `anyOf` counted. */
export const expectationsMax = 100_000

const name = {
  description: "Shown in logs, and what `release` takes.",
  type: "string",
  minLength: 1
} as const satisfies SchemaNode

const times = {
  description: "For so many requests, as NAME#1, NAME#2, ...; once by default.",
  type: "integer",
  minimum: 1,
  maximum: expectationsMax
} as const satisfies SchemaNode

/** Which requests an answer is for. */
const asked = {
  endpoint: { $ref: "#/$defs/endpoint" },
  kind: {
    description:
      "foreground: a turn of an agent's main loop (an `x-grok-turn-idx` header, or two tools or more). auxiliary: every other request.",
    enum: ["foreground", "auxiliary"]
  },
  where: { $ref: "#/$defs/where" }
} as const satisfies Readonly<Record<string, SchemaNode>>

const answered = {
  response: { $ref: "#/$defs/response" },
  barriers: { type: "array", items: { $ref: "#/$defs/barrier" } }
} as const satisfies Readonly<Record<string, SchemaNode>>

/**
 * How scenario files write expectations: one answer (`response`), one for each try of a call (`attempts`), or several of
 * which one is given (`anyOf`).
 *
 * @since 0.1.0
 * @category schemas
 */
export const expectationDefs = {
  barrierPosition: {
    description: "Before the status line, before the event that says how the answer ended, or before the last step.",
    oneOf: [
      { enum: ["head", "semanticEnd", "terminal"] },
      {
        description: "After so many events of a stream.",
        type: "object",
        additionalProperties: false,
        required: ["afterEvent"],
        properties: { afterEvent: { type: "integer", minimum: 0 } }
      }
    ]
  },
  barrier: {
    description:
      "Where the response waits until it is released: type `release NAME` into the command's standard input.",
    oneOf: [
      { enum: ["head", "semanticEnd", "terminal"] },
      {
        type: "object",
        additionalProperties: false,
        required: ["at"],
        properties: {
          at: { $ref: "#/$defs/barrierPosition" },
          name: { description: "By default its position.", type: "string", minLength: 1 }
        }
      }
    ]
  },
  endpoint: {
    description: "The API, or any of several.",
    oneOf: [{ enum: inferenceEndpoints }, { type: "array", minItems: 1, items: { enum: inferenceEndpoints } }]
  },
  alternative: {
    description: "One answer and whom it is for.",
    type: "object",
    additionalProperties: false,
    required: ["endpoint", "kind", "response"],
    properties: { ...asked, ...answered }
  },
  expectation: {
    description: "What is answered to the next request of this endpoint and kind, of which all conditions hold.",
    oneOf: [
      {
        description: "One answer.",
        type: "object",
        additionalProperties: false,
        required: ["name", "endpoint", "kind", "response"],
        properties: { name, ...asked, times, ...answered }
      },
      {
        description: "One answer for each try of one call: a retry gets the next, and never that of another call.",
        type: "object",
        additionalProperties: false,
        required: ["name", "endpoint", "kind", "attempts"],
        properties: { name, ...asked, times, attempts: { type: "array", minItems: 1, items: answered.response } }
      },
      {
        description: "Alternatives: when one is given, the others are off.",
        type: "object",
        additionalProperties: false,
        required: ["name", "anyOf"],
        properties: { name, times, anyOf: { type: "array", minItems: 1, items: { $ref: "#/$defs/alternative" } } }
      }
    ]
  }
} as const satisfies Readonly<Record<string, SchemaNode>>
