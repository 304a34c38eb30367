import { delayMsMax } from "../domain/durations.ts"
import type { Ending } from "../domain/plan.ts"
import { faultDefs } from "./scenario-fault-schema.ts"
import { headerNameNode, type SchemaNode } from "./scenario-schema-node.ts"

const headers = {
  description: "Response headers; they replace defaults of the same name.",
  type: "object",
  propertyNames: headerNameNode,
  additionalProperties: {
    type: ["string", "integer"],
    pattern: "^[\\t\\x20-\\x7e]*$",
    patternErrorMessage: "is no HTTP header value; use visible ASCII, spaces and tabs"
  }
} as const satisfies SchemaNode

const status = {
  description: "The HTTP status.",
  type: "integer",
  minimum: 100,
  maximum: 999
} as const satisfies SchemaNode

const cuts = ["fin", "rst", "halfClose", "stall", "vanish"] as const satisfies ReadonlyArray<Exclude<Ending, "end">>

const endings = ["end", ...cuts] as const

const ending = {
  description:
    "How the response ends when all of it was sent: cleanly (the default), by closing or resetting the connection, by closing our side only, or not at all: silent (stall), or not even reading (vanish).",
  enum: endings
} as const satisfies SchemaNode

const cut = { description: "How it is cut.", enum: cuts } as const satisfies SchemaNode

const cutAfterEvent = {
  description: "Cut after so many events of a stream.",
  type: "object",
  additionalProperties: false,
  required: ["cut", "afterEvent"],
  properties: { cut, afterEvent: { description: "So many events are sent.", type: "integer", minimum: 0 } }
} as const satisfies SchemaNode

const cutAfterBytes = {
  description: "Cut after so many bytes of a whole body, though its head promises all.",
  type: "object",
  additionalProperties: false,
  required: ["cut", "afterBytes"],
  properties: { cut, afterBytes: { description: "So many bytes are sent.", type: "integer", minimum: 0 } }
} as const satisfies SchemaNode

const wholePacing = { $ref: "#/$defs/wholePacing" } as const

/** What whole bodies have. */
const envelope = { status, headers, ending: { $ref: "#/$defs/wholeEnding" }, pacing: wholePacing } as const

const builtAnswer = {
  model: {
    description: "The model named in the answer; by default the first of `models`.",
    type: "string"
  },
  stream: {
    description: "false gives the JSON reply that a request without streaming expects.",
    type: "boolean",
    default: true
  },
  headers,
  ending: { $ref: "#/$defs/anyEnding" },
  pacing: { $ref: "#/$defs/pacing" }
} as const

const jsonBranch = {
  description: "A JSON body.",
  type: "object",
  additionalProperties: false,
  required: ["json"],
  properties: { json: { description: "Any JSON value." }, ...envelope }
} as const satisfies SchemaNode

const rawBranch = {
  description: "Text as it is, byte for byte; `text/plain` unless a header says otherwise.",
  type: "object",
  additionalProperties: false,
  required: ["raw"],
  properties: { raw: { type: "string" }, ...envelope }
} as const satisfies SchemaNode

const sseBranch = {
  description: "A stream of Server-Sent Events, exactly these.",
  type: "object",
  additionalProperties: false,
  required: ["sse"],
  properties: {
    sse: { type: "array", items: { $ref: "#/$defs/sseEvent" } },
    status,
    headers,
    ending: { $ref: "#/$defs/streamEnding" },
    pacing: { $ref: "#/$defs/pacing" }
  }
} as const satisfies SchemaNode

const hangUpBranch = {
  description: "No answer at all: the connection ends, or stalls, before a status line.",
  type: "object",
  additionalProperties: false,
  required: ["hangUp"],
  properties: { hangUp: { enum: cuts }, pacing: wholePacing }
} as const satisfies SchemaNode

const emptyBranch = {
  description: "A status and headers without a body.",
  type: "object",
  additionalProperties: false,
  required: ["status"],
  properties: { status, headers, ending, pacing: wholePacing }
} as const satisfies SchemaNode

const faultBranch = {
  description:
    "A fault of the catalogue, in the form of the API that asks, as a stream when one is asked for. It says itself which status it has, how it is paced and how it ends.",
  type: "object",
  additionalProperties: false,
  required: ["fault"],
  properties: { fault: { $ref: "#/$defs/fault" } }
} as const satisfies SchemaNode

const pause = { type: "number", minimum: 0, maximum: delayMsMax } as const satisfies SchemaNode

const jitter = {
  jitterMs: { description: "Each pause is longer or shorter by up to this.", ...pause },
  seed: {
    description: "What the jitter follows from: the same one gives the same pauses in every run.",
    type: "integer",
    minimum: 0,
    maximum: 2 ** 32 - 1,
    default: 0
  }
} as const satisfies Readonly<Record<string, SchemaNode>>

/**
 * How scenario files write responses: the form follows from the key that is there (`text`, `toolCalls`, `error`, `fault`,
 * `sse`, `json`, `raw`, `hangUp`, or only a `status`).
 *
 * @since 0.1.0
 * @category schemas
 */
export const responseDefs = {
  ...faultDefs,
  streamEnding: {
    description: "How a stream ends: as its events do, or cut after so many of them.",
    oneOf: [ending, cutAfterEvent]
  },
  wholeEnding: {
    description: "How an answer that is no stream ends: with all of its body, or cut after so many bytes of it.",
    oneOf: [ending, cutAfterBytes]
  },
  anyEnding: {
    description: 'How the answer ends: as written, or cut; the JSON reply of `"stream": false` by bytes.',
    oneOf: [ending, cutAfterEvent, cutAfterBytes]
  },
  wholePacing: {
    description: "An answer that is no stream waits once, before its head: `firstTokenMs`, or else `delayMs`.",
    type: "object",
    additionalProperties: false,
    minProperties: 1,
    properties: { delayMs: pause, firstTokenMs: pause, ...jitter }
  },
  pacing: {
    description:
      "How this stream is paced, over `chunkDelayMs`; an event is a token. What is no stream waits once, before its head.",
    type: "object",
    additionalProperties: false,
    minProperties: 1,
    properties: {
      delayMs: { description: "Pause before each event.", ...pause },
      tokensPerSecond: {
        description: "The same as a rate; one of the two.",
        type: "number",
        minimum: 0.001,
        maximum: 1_000_000
      },
      firstTokenMs: { description: "Another pause before the first event.", ...pause },
      ...jitter
    }
  },
  sseEvent: {
    description: "The data of an event, or its name and data. Data that is no string is written as JSON.",
    oneOf: [
      {
        type: "string",
        pattern: "^[^\\r]*$",
        patternErrorMessage: "holds a CR, which no `data:` field can carry; use `raw`"
      },
      {
        type: "object",
        additionalProperties: false,
        required: ["data"],
        properties: {
          event: {
            type: "string",
            pattern: "^[^\\r\\n]*$",
            patternErrorMessage: "holds a line break, which no `event:` field can carry"
          },
          data: { description: "A string as it is, any other value as JSON." }
        }
      }
    ]
  },
  toolCall: {
    description: "A call of a tool by the model.",
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: {
      id: { description: "By default `call_1`, `call_2`, ...", type: "string" },
      name: { type: "string", minLength: 1 },
      arguments: { description: "A string reaches the wire unchanged, any other value as JSON; `{}` by default." }
    }
  },
  response: {
    description: "An answer of an inference path. A bare string is the text of an assistant, streamed.",
    oneOf: [
      { type: "string" },
      {
        description: "The text of an assistant, in the form of the endpoint's API.",
        type: "object",
        additionalProperties: false,
        required: ["text"],
        properties: {
          text: { type: "string" },
          reasoning: { description: "What the model thought before the text.", type: "string" },
          ...builtAnswer
        }
      },
      {
        description: "Tool calls, after a text if there is one.",
        type: "object",
        additionalProperties: false,
        required: ["toolCalls"],
        properties: {
          toolCalls: { type: "array", items: { $ref: "#/$defs/toolCall" } },
          text: { type: "string" },
          ...builtAnswer
        }
      },
      {
        description: "An error in the form of the endpoint's API, with status 500 unless another is given.",
        type: "object",
        additionalProperties: false,
        required: ["error"],
        properties: { error: { description: "The message.", type: "string" }, ...envelope }
      },
      faultBranch,
      sseBranch,
      jsonBranch,
      rawBranch,
      hangUpBranch,
      emptyBranch
    ]
  },
  resourceResponse: {
    description: "An answer of a path that is no inference path.",
    oneOf: [sseBranch, jsonBranch, rawBranch, hangUpBranch, emptyBranch]
  }
} as const satisfies Readonly<Record<string, SchemaNode>>
