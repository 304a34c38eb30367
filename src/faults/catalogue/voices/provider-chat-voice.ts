import { SseEvent } from "../../../domain/sse-event.ts"
import { chat } from "../../../wire/chat/chat.ts"
import { compactChatEvents } from "../../../wire/chat/compact.ts"
import { fullChatEvents } from "../../../wire/chat/full.ts"
import type { ChatOptions } from "../../../wire/chat/options.ts"
import { chatReplyBody } from "../../../wire/chat/reply.ts"
import type { ChatPart, ChatTurn } from "../../../wire/chat/turn.ts"
import { fragments } from "../../../wire/fragments.ts"
import type { JsonObject } from "../../../wire/json.ts"
import { emptyTurn } from "../turns.ts"
import type { Turn, TurnPart, Voice } from "../voice.ts"
import { withRole, withRoles } from "./event-role.ts"
import { oddPayloads } from "./odd-payloads.ts"
import { providerError } from "./provider-error.ts"
import type { ProviderTerms } from "./provider-terms.ts"
import { streamHeaders } from "./stream-headers.ts"
import { eventAt, rewritten, withoutUsage } from "./written-event.ts"

/**
 * Chat Completions as the inference server writes them. Profile compact knows text, and a thought with one call; all else
 * is profile full.
 *
 * **Source** wire-formats.md, sections 2A and 2D
 *
 * @since 0.1.0
 * @category constructors
 */
export const providerChatVoice = (terms: ProviderTerms): Voice => ({
  format: "chat",
  events: (turn) => withRoles("chat", turnEvents(turn, terms)),
  reply: (turn) => JSON.stringify(replyOf(turn, terms)),
  announcement: () => withRole("chat", announcement(terms)),
  around: (events) => withRoles("chat", [...events, SseEvent.data("[DONE]")]),
  malformedEvent: (kind) => withRole("chat", oddPayloads.chat.malformed[kind]),
  malformedReply: () => oddPayloads.chat.reply,
  errorEvent: (message) => withRole("chat", eventAt(chat.error({ model: terms.model, message }), -1)),
  unknownEvent: () => withRole("chat", oddPayloads.chat.unknown),
  error: providerError("ChatCompletions"),
  streamHeaders: streamHeaders({ isBare: terms.profile === "compact" })
})

const turnEvents = (turn: Turn, terms: ProviderTerms): ReadonlyArray<SseEvent> => {
  const options = optionsOf(turn, terms)
  if (terms.profile === "full" || !isCompact(turn))
    return fullChatEvents(chatTurn(turn, turn.parts.map(chatPart)), options)
  const events = compactChatEvents(chatTurn(turn, compactParts(turn)), options)
  return turn.usage === "none" ? unmetered(events) : events
}

/** Compact streams always count; here they do not. */
const unmetered = (events: ReadonlyArray<SseEvent>): ReadonlyArray<SseEvent> =>
  events.filter(({ data }) => !data.includes('"choices":[],"usage":')).map((event) => rewritten(event, withoutUsage))

const replyOf = (turn: Turn, terms: ProviderTerms): JsonObject => {
  const body = chatReplyBody(chatTurn(turn, turn.parts.map(chatPart)), optionsOf(turn, terms))
  return turn.usage === "none" ? withoutUsage(body) : body
}

/** Of two empty pieces the first opens a compact stream; in profile full a chunk of its own does. */
const announcement = (terms: ProviderTerms): SseEvent => {
  const turn: Turn = { ...emptyTurn, parts: [{ kind: "text", pieces: ["", ""] }] }
  return eventAt(turnEvents(terms.profile === "compact" ? turn : emptyTurn, terms), 0)
}

const optionsOf = ({ usage, outputTokens }: Turn, { model, includeUsage }: ProviderTerms): ChatOptions => ({
  model,
  includeUsage: includeUsage && usage !== "none",
  usage: { completionTokens: outputTokens, ...(typeof usage === "number" ? { promptTokens: usage } : {}) }
})

const chatTurn = ({ finish }: Turn, parts: ReadonlyArray<ChatPart>): ChatTurn => ({
  choices: [{ parts, finishReason: finish }],
  order: "sequential",
  error: null
})

const chatPart = (part: TurnPart): ChatPart => {
  if (part.kind !== "calls") {
    const kind = part.kind === "text" ? "content" : "reasoning"
    return { kind, ...asCut(part.pieces), logprob: null }
  }
  return {
    kind: "calls",
    tool: "function",
    order: part.isInterleaved === true ? "interleaved" : "sequential",
    isWhole: false,
    calls: part.calls.map(({ id, name, pieces }) => ({ callId: id, name, arguments: asCut(pieces) }))
  }
}

const asCut = (pieces: ReadonlyArray<string>) => fragments(pieces.join(""), () => pieces)

const isCompact = ({ parts }: Turn): boolean => {
  const [first, second, ...others] = parts
  if (second === undefined) return first === undefined || first.kind === "text"
  return first?.kind === "reasoning" && second.kind === "calls" && second.calls.length === 1 && others.length === 0
}

/** Profile compact writes empty pieces too: the empty text is one of them. */
const compactParts = ({ parts }: Turn): ReadonlyArray<ChatPart> => {
  const [first] = parts
  if (first !== undefined && first.kind !== "text") return parts.map(chatPart)
  const pieces = first === undefined || first.pieces.length === 0 ? [""] : first.pieces
  return [{ kind: "content", text: pieces.join(""), pieces, logprob: null }]
}
