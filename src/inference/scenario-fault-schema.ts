import { delayMsMax } from "../domain/durations.ts"
import { faultNames } from "../domain/fault-names.ts"
import { type FaultOptions, faultDefaults } from "../domain/fault-options.ts"
import type { SchemaNode } from "./scenario-schema-node.ts"

const filled = { type: "string", minLength: 1 } as const satisfies SchemaNode
const pause = { type: "integer", minimum: 0, maximum: delayMsMax } as const satisfies SchemaNode
const count = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const satisfies SchemaNode

/** The options of faults, in the order of the library, which checks the same ranges once more. */
const options = {
  successText: { description: "Text of good answers.", ...filled, default: faultDefaults.successText },
  partialText: { description: "Text of answers that break off.", ...filled, default: faultDefaults.partialText },
  reasoningText: { description: "Reasoning before an answer.", ...filled, default: faultDefaults.reasoningText },
  chunkSize: { description: "Code points of a piece of text.", ...count, minimum: 1, default: faultDefaults.chunkSize },
  chunkDelayMs: {
    description: "Pause after each piece, where a fault has one.",
    ...pause,
    default: faultDefaults.chunkDelayMs
  },
  disconnectDelayMs: {
    description: "Silence before the connection is dropped.",
    ...pause,
    default: faultDefaults.disconnectDelayMs
  },
  retryAfterMs: {
    description: "What `retry-after` asks for.",
    ...pause,
    minimum: 1,
    default: faultDefaults.retryAfterMs
  },
  requestId: {
    description: "Sent as `x-request-id` with errors, in place of that of the server.",
    ...filled,
    pattern: "^[\\t\\x20-\\x7e]*$",
    patternErrorMessage: "is no HTTP header value; use visible ASCII, spaces and tabs"
  },
  toolName: { description: "The tool that is called.", ...filled, default: faultDefaults.toolName },
  toolArguments: {
    description: "Its arguments: a string that is JSON, or any other value, which is written as JSON.",
    default: faultDefaults.toolArguments
  },
  resetMode: {
    description: "How the connection is dropped: by an orderly end, or a reset.",
    enum: ["fin", "rst"],
    default: faultDefaults.resetMode
  },
  headDelayMs: {
    description: "Silence before the head of `slow_head`.",
    ...pause,
    default: faultDefaults.headDelayMs
  },
  heartbeatMs: {
    description: "Pause between the comments of `comment_stall`.",
    ...pause,
    minimum: 1,
    default: faultDefaults.heartbeatMs
  },
  contextWindow: {
    description: "Tokens that `usage_overflow` exceeds.",
    type: "integer",
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER - 1,
    default: faultDefaults.contextWindow
  },
  cutAfterEvents: {
    description: "Events that `cut_at_event` sends.",
    ...count,
    default: faultDefaults.cutAfterEvents
  },
  cutAfterBytes: {
    description: "Bytes of the body that `cut_at_byte` sends.",
    ...count,
    default: faultDefaults.cutAfterBytes
  }
} as const satisfies Readonly<Record<keyof FaultOptions, SchemaNode>>

/**
 * How scenario files name a fault of the catalogue: by name alone, or with options.
 *
 * @since 0.1.0
 * @category schemas
 */
export const faultDefs = {
  fault: {
    description: "A fault by name, or its name and options. `understudy faults list` says what each one does.",
    oneOf: [
      { enum: faultNames },
      {
        type: "object",
        additionalProperties: false,
        required: ["name"],
        properties: { name: { description: "Which fault.", enum: faultNames }, ...options }
      }
    ]
  }
} as const satisfies Readonly<Record<string, SchemaNode>>
