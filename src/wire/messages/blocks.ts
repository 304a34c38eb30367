import { isRecord } from "../../domain/json.ts"
import { type Fragments, fragments } from "../fragments.ts"
import type { JsonObject } from "../json.ts"
import { responsesExact } from "../splitters.ts"
import { argumentsOf, type ToolCall } from "../tool-call.ts"
import type { MessagesOptions } from "./options.ts"
import type { MessagesBlock } from "./turn.ts"

/**
 * Visible text; each citation is one delta behind the text.
 *
 * **Source** wire-formats.md, sections 2C.3 and 2C.6
 *
 * @since 0.1.0
 * @category constructors
 */
export const textBlock = (
  text: string,
  options: MessagesOptions,
  citations: ReadonlyArray<JsonObject> = []
): MessagesBlock => {
  const cut = fragments(text, options.split ?? responsesExact)
  return {
    start: { type: "text", text: "", citations: null },
    deltas: [
      ...deltas("text_delta", "text", cut),
      ...citations.map((citation) => JSON.stringify({ type: "citations_delta", citation }))
    ],
    // Absent, not null, when there are none: strict clients refuse the null in a whole message and not in a stream.
    final: { type: "text", text, ...(citations.length === 0 ? {} : { citations }) },
    pieceCount: cut.pieces.length
  }
}

/**
 * A thought with its signature, which comes last and once. Its text is left out when the request asks for that.
 *
 * **Source** wire-formats.md, section 2C.4
 *
 * @since 0.1.0
 * @category constructors
 */
export const thinkingBlock = (thinking: string, signature: string, options: MessagesOptions): MessagesBlock => {
  const cut = fragments(isThinkingOmitted(options.request) ? "" : thinking, options.split ?? responsesExact)
  return {
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [...deltas("thinking_delta", "thinking", cut), JSON.stringify({ type: "signature_delta", signature })],
    final: { type: "thinking", thinking: cut.text, signature },
    pieceCount: cut.pieces.length
  }
}

/** @since 0.1.0 @category constructors */
export const redactedBlock = (data: string): MessagesBlock => wholeBlock({ type: "redacted_thinking", data })

/**
 * A call that the caller has to answer. The reply's `input` is the parsed argument text, `{}` where that is no JSON object.
 *
 * **Source** wire-formats.md, section 2C.5
 *
 * @since 0.1.0
 * @category constructors
 */
export const toolUseBlock = (call: ToolCall, options: MessagesOptions): MessagesBlock =>
  inputBlock("tool_use", call, options)

/**
 * A call that the provider runs itself.
 *
 * @since 0.1.0
 * @category constructors
 */
export const serverToolUseBlock = (call: ToolCall, options: MessagesOptions): MessagesBlock =>
  inputBlock("server_tool_use", call, options)

/**
 * What a server tool found, delivered whole: a list of results, or one error object.
 *
 * **Source** wire-formats.md, section 2C.6
 *
 * @since 0.1.0
 * @category constructors
 */
export const webSearchResultBlock = (
  toolUseId: string,
  content: JsonObject | ReadonlyArray<JsonObject>
): MessagesBlock =>
  wholeBlock({ type: "web_search_tool_result", tool_use_id: toolUseId, caller: directCaller, content })

const directCaller = { type: "direct" }

const wholeBlock = (block: JsonObject): MessagesBlock => ({ start: block, deltas: [], final: block, pieceCount: 0 })

const inputBlock = (type: string, call: ToolCall, options: MessagesOptions): MessagesBlock => {
  const cut = fragments(argumentsOf(call), options.splitArguments ?? responsesExact)
  const block = (input: JsonObject) => ({ type, id: call.callId, name: call.name, input, caller: directCaller })
  return {
    start: block({}),
    deltas: deltas("input_json_delta", "partial_json", cut),
    final: block(parsedInput(call.arguments)),
    pieceCount: cut.pieces.length
  }
}

const deltas = (type: string, key: string, { pieces }: Fragments): ReadonlyArray<string> => {
  const prefix = `{"type":"${type}","${key}":`
  return pieces.map((piece) => `${prefix}${JSON.stringify(piece)}}`)
}

const parsedInput = (text: string): JsonObject => {
  try {
    const input: unknown = JSON.parse(text)
    return isRecord(input) ? input : {}
  } catch {
    return {}
  }
}

const isThinkingOmitted = (request: unknown): boolean => {
  const thinking = isRecord(request) ? request["thinking"] : undefined
  return isRecord(thinking) && thinking["display"] === "omitted"
}
