import { SseEvent } from "../../domain/sse-event.ts"
import { fragments } from "../fragments.ts"
import { codePoints, type Splitter } from "../splitters.ts"
import type { ToolCall } from "../tool-call.ts"

/**
 * A text in the leanest dialect. It is cut every 8 code points unless `split` says otherwise.
 *
 * @since 0.1.0
 * @category models
 */
export interface MinimalTextInput {
  readonly text: string
  readonly split?: Splitter
  readonly finishReason?: string
  readonly promptTokens?: number
  readonly completionTokens?: number
}

/** @since 0.1.0 @category models */
export interface MinimalCallInput extends ToolCall {
  readonly promptTokens?: number
  readonly completionTokens?: number
}

/**
 * The leanest chat dialect, of fault-injection servers: chunks hold nothing but a choice, usage rides on the terminal
 * chunk and has no total. The helpers of the official clients reject it.
 *
 * **Source** wire-formats.md, section 2A.9
 *
 * @since 0.1.0
 * @category constructors
 */
export const minimalChat = {
  text: (input: MinimalTextInput): ReadonlyArray<SseEvent> => {
    const { pieces } = fragments(input.text, input.split ?? codePoints(8))
    const deltas = pieces.map((piece) => `{"content":${JSON.stringify(piece)}}`)
    return minimalEvents(deltas, {
      ...input,
      finishReason: input.finishReason ?? "stop",
      completionTokens: input.completionTokens ?? Array.from(input.text).length
    })
  },
  call: (input: MinimalCallInput): ReadonlyArray<SseEvent> => {
    const half = Math.floor(input.arguments.length / 2)
    const announced = {
      index: 0,
      id: input.callId,
      type: "function",
      function: { name: input.name, arguments: input.arguments.slice(0, half) }
    }
    const rest = { index: 0, function: { arguments: input.arguments.slice(half) } }
    const deltas = [announced, rest].map((call) => JSON.stringify({ tool_calls: [call] }))
    return minimalEvents(deltas, {
      ...input,
      finishReason: "tool_calls",
      completionTokens: input.completionTokens ?? 2
    })
  }
} as const

interface MinimalEnd {
  readonly finishReason: string
  readonly promptTokens?: number
  readonly completionTokens: number
}

function minimalEvents(deltas: ReadonlyArray<string>, end: MinimalEnd): ReadonlyArray<SseEvent> {
  const open = '{"choices":[{"index":0,"delta":'
  const usage = { prompt_tokens: end.promptTokens ?? 3, completion_tokens: end.completionTokens }
  const finish = `{"content":""},"finish_reason":${JSON.stringify(end.finishReason)}}],"usage":${JSON.stringify(usage)}}`
  return [
    ...deltas.map((delta) => SseEvent.data(`${open}${delta},"finish_reason":null}]}`)),
    SseEvent.data(`${open}${finish}`),
    SseEvent.data("[DONE]")
  ]
}
