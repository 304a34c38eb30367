import type { InferenceEndpoint, WireProfile } from "../domain/endpoint.ts"
import type { SseEvent } from "../domain/sse-event.ts"
import { chat, chatReply } from "./chat/chat.ts"
import { messages, messagesReply } from "./messages/messages.ts"
import { responses, responsesReply } from "./responses/responses.ts"
import { chatEcho, chatExact, responsesExact, type Splitter, trailingEcho } from "./splitters.ts"

/**
 * A built-in text answer of the server.
 *
 * `split: "echo"` collapses white space in the deltas of chat and Responses, and only in profile compact; objects that
 * hold the whole text always hold it as given. `includeUsage` counts for full chat streams, `stopReason` for Messages,
 * and `request` (the parsed body) is echoed in the full response object of Responses.
 *
 * **Source** wire-formats.md, sections 2A.2, 2B.3, 2C.3 and 3.2; inference-server.md, section 7
 *
 * @since 0.1.0
 * @category models
 */
export interface TextAnswer {
  readonly profile: WireProfile
  readonly split: "exact" | "echo"
  readonly text: string
  readonly model: string
  readonly includeUsage: boolean
  readonly stopReason: string
  readonly request: unknown
}

/**
 * The stream of a text answer at an endpoint.
 *
 * **Fails** never
 *
 * @since 0.1.0
 * @category constructors
 */
export const textEvents = (endpoint: InferenceEndpoint, answer: TextAnswer): ReadonlyArray<SseEvent> => {
  switch (endpoint) {
    case "ChatCompletions":
      return chat.text({ ...answer, split: splitterOf(answer, { exact: chatExact, echo: chatEcho }) })
    case "Responses":
      return responses.text({ ...answer, split: splitterOf(answer, { exact: responsesExact, echo: trailingEcho }) })
    case "Messages":
      return messages.text({ ...answer, split: coarse(responsesExact) })
  }
}

/**
 * The JSON reply of a text answer at an endpoint; profile and split make no difference.
 *
 * **Fails** never
 *
 * @since 0.1.0
 * @category constructors
 */
export const textReply = (endpoint: InferenceEndpoint, answer: TextAnswer): unknown => {
  const { text, model, stopReason, request } = answer
  switch (endpoint) {
    case "ChatCompletions":
      return chatReply.text({ text, model })
    case "Responses":
      return responsesReply.text({ text, model, request })
    case "Messages":
      return messagesReply.text({ text, model, stopReason, request })
  }
}

const splitterOf = (answer: TextAnswer, splitters: Readonly<Record<TextAnswer["split"], Splitter>>): Splitter =>
  coarse(splitters[answer.profile === "compact" ? answer.split : "exact"])

/** Past this many pieces they are joined: a delta takes fifty times the memory of the word that it carries. */
export const textPiecesMax = 4_096

/** The same text in a bounded number of pieces. */
const coarse =
  (split: Splitter): Splitter =>
  (text) => {
    const pieces = split(text)
    if (pieces.length <= textPiecesMax) return pieces
    const size = Math.ceil(pieces.length / textPiecesMax)
    return Array.from({ length: Math.ceil(pieces.length / size) }, (_, index) =>
      pieces.slice(index * size, (index + 1) * size).join("")
    )
  }
