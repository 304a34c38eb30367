import { SseEvent } from "../../domain/sse-event.ts"
import { interleave, joined } from "../lists.ts"
import { choiceDeltas } from "./deltas.ts"
import type { ChatOptions } from "./options.ts"
import type { ChatChoice, ChatTurn } from "./turn.ts"
import { chatUsage } from "./usage.ts"

/**
 * The chunks of a turn in profile full, `[DONE]` included: role, deltas, finish, and usage if it was asked for.
 *
 * **Source** wire-formats.md, sections 2A.1 and 2A.2
 *
 * @since 0.1.0
 * @category encoding
 */
export const fullChatEvents = (turn: ChatTurn, options: ChatOptions): ReadonlyArray<SseEvent> => {
  const head = chunkHead(options)
  const tail = chunkTail(options)
  const lists = turn.choices.map((choice, index) => choiceEvents(choice, { index, head, tail, options }))
  const events = turn.order === "interleaved" ? interleave(lists) : joined(lists)
  if (turn.error !== null) return [...events, errorEvent(turn.error)]
  return joined([events, usageEvents(turn, { head, options }), [SseEvent.data("[DONE]")]])
}

interface Chunk {
  readonly index: number
  readonly head: string
  readonly tail: string
  readonly options: ChatOptions
}

const chunkHead = (options: ChatOptions): string => {
  const envelope = JSON.stringify({
    id: options.id ?? "chatcmpl-mock",
    object: "chat.completion.chunk",
    created: options.created ?? 1234567890,
    model: options.model,
    service_tier: options.serviceTier ?? "default",
    system_fingerprint: options.systemFingerprint ?? "fp_mock"
  })
  return `${envelope.slice(0, -1)},"choices":[`
}

const chunkTail = (options: ChatOptions): string => {
  const usage = options.includeUsage === true ? ',"usage":null' : ""
  const padding = options.obfuscation === undefined ? "" : `,"obfuscation":${JSON.stringify(options.obfuscation)}`
  return `]${usage}${padding}}`
}

const choiceEvents = (choice: ChatChoice, chunk: Chunk): ReadonlyArray<SseEvent> => {
  const open = `${chunk.head}{"index":${chunk.index},"delta":`
  const close = `,"finish_reason":null}${chunk.tail}`
  const events = choiceDeltas(choice, chunk.options).map(({ delta, logprobs }) =>
    SseEvent.data(`${open}${delta},"logprobs":${logprobs}${close}`)
  )
  if (choice.finishReason === null) return events
  const finish = `${open}{},"logprobs":null,"finish_reason":${JSON.stringify(choice.finishReason)}}${chunk.tail}`
  return [...events, SseEvent.data(finish)]
}

const usageEvents = (turn: ChatTurn, chunk: Pick<Chunk, "head" | "options">): ReadonlyArray<SseEvent> =>
  chunk.options.includeUsage === true
    ? [SseEvent.data(`${chunk.head}],"usage":${JSON.stringify(chatUsage(turn, chunk.options))}}`)]
    : []

const errorEvent = (error: NonNullable<ChatTurn["error"]>): SseEvent => ({
  event: error.named ? "error" : null,
  data: JSON.stringify({ error: error.body })
})
