import { member } from "../../../domain/json.ts"
import { SseEvent } from "../../../domain/sse-event.ts"
import type { JsonObject } from "../../../wire/json.ts"
import { textBlock, thinkingBlock, toolUseBlock } from "../../../wire/messages/blocks.ts"
import { compactTextEvents } from "../../../wire/messages/compact.ts"
import { fullMessagesEvents, messagesReplyBody } from "../../../wire/messages/full.ts"
import { messages } from "../../../wire/messages/messages.ts"
import type { MessagesOptions } from "../../../wire/messages/options.ts"
import type { MessagesBlock, MessagesTurn } from "../../../wire/messages/turn.ts"
import { emptyTurn } from "../turns.ts"
import type { Turn, TurnPart, Voice } from "../voice.ts"
import { withRole, withRoles } from "./event-role.ts"
import { oddPayloads } from "./odd-payloads.ts"
import { providerError } from "./provider-error.ts"
import type { ProviderTerms } from "./provider-terms.ts"
import { stopReason } from "./stop-reason.ts"
import { streamHeaders } from "./stream-headers.ts"
import { turnText } from "./turn-content.ts"
import { eventAt, rewritten, withoutUsage } from "./written-event.ts"

/**
 * Messages as the inference server writes them. Profile compact knows text, in one piece; all else is profile full. The
 * provider never interleaves blocks, so calls come one after the other here whatever the turn says.
 *
 * **Source** wire-formats.md, sections 2C and 2D
 *
 * @since 0.1.0
 * @category constructors
 */
export const providerMessagesVoice = (terms: ProviderTerms): Voice => ({
  format: "messages",
  events: (turn) => withRoles("messages", turnEvents(turn, terms)),
  reply: (turn) => JSON.stringify(replyOf(turn, terms)),
  announcement: () => withRole("messages", eventAt(turnEvents(silence(terms), terms), 0)),
  around(events) {
    const empty = turnEvents(silence(terms), terms)
    return withRoles("messages", [eventAt(empty, 0), ...events, eventAt(empty, -1)])
  },
  malformedEvent: (kind) => withRole("messages", inProfile(oddPayloads.messages.malformed[kind], terms)),
  malformedReply: () => oddPayloads.messages.reply,
  errorEvent: (message) =>
    withRole("messages", eventAt(messages.error({ model: terms.model, message, type: "overloaded_error" }), -1)),
  unknownEvent: () => withRole("messages", inProfile(oddPayloads.messages.unknown, terms)),
  error: providerError("Messages"),
  streamHeaders: streamHeaders({ isBare: terms.profile === "compact" })
})

const turnEvents = (turn: Turn, terms: ProviderTerms): ReadonlyArray<SseEvent> => {
  const options = optionsOf(turn, terms)
  const text = turnText(turn, "text")
  const isCompact = terms.profile === "compact" && turn.parts.length === 1 && text !== null
  const events = isCompact ? compactTextEvents(text, options) : fullMessagesEvents(messagesTurn(turn, options), options)
  return turn.usage === "none" ? events.map(unmetered) : events
}

/** Clients cannot do without the usage of the start. */
const unmetered = (event: SseEvent): SseEvent =>
  rewritten(event, (payload) => (member(payload, "type") === "message_delta" ? withoutUsage(payload) : payload))

const replyOf = (turn: Turn, terms: ProviderTerms): JsonObject => {
  const options = optionsOf(turn, terms)
  const body = messagesReplyBody(messagesTurn(turn, options), options)
  return turn.usage === "none" ? withoutUsage(body) : body
}

/** A turn whose first and last event are in the profile: compact has no answer without a text. */
const silence = ({ profile }: ProviderTerms): Turn =>
  profile === "compact" ? { ...emptyTurn, parts: [{ kind: "text", pieces: [] }] } : emptyTurn

/** Profile compact has no names. */
const inProfile = (event: SseEvent, { profile }: ProviderTerms): SseEvent =>
  profile === "compact" ? SseEvent.data(event.data) : event

const optionsOf = (turn: Turn, { model, request }: ProviderTerms): MessagesOptions => ({
  model,
  request,
  stopReason: stopReason(turn),
  usage: { outputTokens: turn.outputTokens, ...(typeof turn.usage === "number" ? { inputTokens: turn.usage } : {}) }
})

const messagesTurn = (turn: Turn, options: MessagesOptions): MessagesTurn => ({
  blocks: turn.parts.flatMap((part) => blocksOf(part, options)),
  stopReason: stopReason(turn),
  stopSequence: null,
  stopDetails: turn.finish === "content_filter" ? { type: "refusal", category: null, explanation: null } : null,
  serverToolUse: null,
  error: null
})

const blocksOf = (part: TurnPart, options: MessagesOptions): ReadonlyArray<MessagesBlock> => {
  switch (part.kind) {
    case "text":
      return [textBlock(part.pieces.join(""), { ...options, split: () => part.pieces })]
    case "reasoning":
      return [thinkingBlock(part.pieces.join(""), "sig_mock", { ...options, split: splitOf(part.pieces) })]
    case "calls":
      return part.calls.map(({ id, name, pieces }) =>
        toolUseBlock({ callId: id, name, arguments: pieces.join("") }, { ...options, splitArguments: () => pieces })
      )
  }
}

/** A request for omitted thinking gets the empty text, which has no pieces. */
const splitOf = (pieces: ReadonlyArray<string>) => (text: string) => (text === "" ? [] : pieces)
