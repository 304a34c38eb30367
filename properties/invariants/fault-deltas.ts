import type { FaultFormat } from "../../src/faults/catalogue/voice.ts"

/** What stands at a path of keys, `undefined` where nothing stands. */
export const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((found, key) => {
    if (typeof found !== "object" || found === null) return undefined
    return Reflect.get(found, key)
  }, value)

/** The JSON payloads among the data of some events. */
export const payloadsOf = (data: ReadonlyArray<string>): ReadonlyArray<unknown> =>
  data.flatMap((text) => (text === "[DONE]" ? [] : [JSON.parse(text)]))

/** A reader of one kind of piece: what a payload adds, `undefined` when it adds none. */
type Reader = (payload: unknown) => unknown

interface FormatReader {
  readonly text: Reader
  readonly reasoning: Reader
  readonly fragment: Reader
  readonly finish: Reader
  readonly outputTokens: Reader
  readonly inputTokens: Reader
}

const typed =
  (type: string, ...path: ReadonlyArray<string>): Reader =>
  (payload) =>
    at(payload, "type") === type ? at(payload, ...path) : undefined

const blockDelta =
  (type: string, member: string): Reader =>
  (payload) =>
    at(payload, "delta", "type") === type ? at(payload, "delta", member) : undefined

const response =
  (...path: ReadonlyArray<string>): Reader =>
  (payload) => {
    const type = at(payload, "type")
    return type === "response.completed" || type === "response.incomplete"
      ? at(payload, "response", ...path)
      : undefined
  }

/** How each format says what all of them say. */
export const readers: Readonly<Record<FaultFormat, FormatReader>> = {
  chat: {
    // The finish of a chat stream has an empty piece that is none.
    text: (payload) => (chatFinish(payload) === undefined ? at(payload, "choices", 0, "delta", "content") : undefined),
    reasoning: (payload) => at(payload, "choices", 0, "delta", "reasoning_content"),
    fragment: (payload) => at(payload, "choices", 0, "delta", "tool_calls", 0, "function", "arguments"),
    finish: (payload) => chatFinish(payload),
    outputTokens: (payload) => at(payload, "usage", "completion_tokens"),
    inputTokens: (payload) => at(payload, "usage", "prompt_tokens")
  },
  responses: {
    text: typed("response.output_text.delta", "delta"),
    reasoning: typed("response.reasoning_summary_text.delta", "delta"),
    fragment: typed("response.function_call_arguments.delta", "delta"),
    finish: (payload) => {
      const reason = response("incomplete_details", "reason")(payload)
      return reason ?? response("status")(payload)
    },
    outputTokens: response("usage", "output_tokens"),
    inputTokens: response("usage", "input_tokens")
  },
  messages: {
    text: blockDelta("text_delta", "text"),
    reasoning: blockDelta("thinking_delta", "thinking"),
    fragment: blockDelta("input_json_delta", "partial_json"),
    finish: typed("message_delta", "delta", "stop_reason"),
    outputTokens: typed("message_delta", "usage", "output_tokens"),
    inputTokens: typed("message_start", "message", "usage", "input_tokens")
  }
}

const chatFinish = (payload: unknown): unknown => at(payload, "choices", 0, "finish_reason") ?? undefined

/** All that a reader finds, in order. */
export const found = (payloads: ReadonlyArray<unknown>, reader: Reader): ReadonlyArray<unknown> =>
  payloads.flatMap((payload) => {
    const value = reader(payload)
    return value === undefined ? [] : [value]
  })

/** How a finish is called in each format. */
export const finishNames: Readonly<Record<FaultFormat, Readonly<Record<string, string>>>> = {
  chat: { stop: "stop", length: "length", content_filter: "content_filter", tool_calls: "tool_calls" },
  responses: {
    stop: "completed",
    length: "max_output_tokens",
    content_filter: "content_filter",
    tool_calls: "completed"
  },
  messages: { stop: "end_turn", length: "max_tokens", content_filter: "refusal", tool_calls: "tool_use" }
}
