import { SseEvent } from "../../domain/sse-event.ts"
import type { ChatOptions } from "./options.ts"
import type { ChatCallsPart, ChatPart, ChatTurn } from "./turn.ts"

/**
 * The byte-frozen chunks of profile compact, for a turn of text or of reasoning and calls: no role chunk, the finish
 * reason of a text rides on its last piece, usage is always there.
 *
 * **Source** wire-formats.md, sections 2A.2 and 2A.5
 *
 * @since 0.1.0
 * @category encoding
 */
export const compactChatEvents = (turn: ChatTurn, options: ChatOptions): ReadonlyArray<SseEvent> => {
  const head = chunkHead(options)
  const events = turn.choices.flatMap(({ parts, finishReason }) =>
    parts.some((part) => part.kind === "calls")
      ? callChunks(parts, { head, options, finishReason })
      : textChunks(parts, { head, options, finishReason })
  )
  return [...events, SseEvent.data("[DONE]")]
}

interface Chunk {
  readonly head: string
  readonly options: ChatOptions
  readonly finishReason: string | null
}

const chunkHead = (options: ChatOptions): string => {
  const envelope = JSON.stringify({
    id: options.id ?? "chatcmpl-test",
    object: "chat.completion.chunk",
    created: options.created ?? 1234567890,
    model: options.model
  })
  return `${envelope.slice(0, -1)},"choices":[`
}

const textChunks = (parts: ReadonlyArray<ChatPart>, chunk: Chunk): ReadonlyArray<SseEvent> => {
  const pieces = piecesOf(parts, "content")
  const finish = JSON.stringify(chunk.finishReason)
  const events = pieces.map((piece, at) => {
    const role = at === 0 ? '"role":"assistant",' : ""
    const reason = at === pieces.length - 1 ? finish : "null"
    return choiceEvent(chunk, `{${role}"content":${JSON.stringify(piece)}},"finish_reason":${reason}}]}`)
  })
  const usage = usageJson(chunk.options, pieces.length)
  return [...events, SseEvent.data(`${chunk.head}],"usage":${usage}}`)]
}

const callChunks = (parts: ReadonlyArray<ChatPart>, chunk: Chunk): ReadonlyArray<SseEvent> => {
  const thoughts = piecesOf(parts, "reasoning").map((piece) =>
    choiceEvent(chunk, `{"reasoning_content":${JSON.stringify(piece)}},"finish_reason":null}]}`)
  )
  const calls = parts.filter((part) => part.kind === "calls").flatMap(wholeCalls)
  const delta = JSON.stringify({ role: "assistant", content: null, tool_calls: calls })
  const finish = JSON.stringify(chunk.finishReason)
  return [
    ...thoughts,
    choiceEvent(chunk, `${delta},"finish_reason":null}]}`),
    choiceEvent(chunk, `{},"finish_reason":${finish}}],"usage":${usageJson(chunk.options, 20)}}`)
  ]
}

const choiceEvent = (chunk: Chunk, rest: string): SseEvent => SseEvent.data(`${chunk.head}{"index":0,"delta":${rest}`)

const piecesOf = (parts: ReadonlyArray<ChatPart>, kind: "content" | "reasoning"): ReadonlyArray<string> =>
  parts.flatMap((part) => (part.kind === kind ? part.pieces : []))

const wholeCalls = (part: ChatCallsPart) =>
  part.calls.map((call, index) => ({
    index,
    id: call.callId,
    type: "function",
    function: { name: call.name, arguments: call.arguments.text }
  }))

const usageJson = (options: ChatOptions, defaultTokens: number): string => {
  const promptTokens = options.usage?.promptTokens ?? 10
  const completionTokens = options.usage?.completionTokens ?? defaultTokens
  return JSON.stringify({
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens
  })
}
