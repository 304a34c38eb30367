import { SseEvent } from "../../../domain/sse-event.ts"
import type { JsonObject } from "../../../wire/json.ts"
import { interleave } from "../../../wire/lists.ts"
import { emptyTurn } from "../turns.ts"
import type { Turn, TurnCall, TurnPart, Voice } from "../voice.ts"
import { withRole, withRoles } from "./event-role.ts"
import type { FaultTerms } from "./fault-terms.ts"
import { mockMessagesError } from "./mock-error.ts"
import { mockTokens } from "./mock-tokens.ts"
import { oddPayloads } from "./odd-payloads.ts"
import { stopReason } from "./stop-reason.ts"
import { streamHeaders } from "./stream-headers.ts"

/**
 * Messages as the fault server speaks them.
 *
 * **Source** fault-server.md, sections 9.4.3 to 9.4.5
 *
 * @since 0.1.0
 * @category constructors
 */
export const faultMessagesVoice = (terms: FaultTerms): Voice => ({
  format: "messages",
  events: (turn) =>
    withRoles("messages", [messageStart(turn, terms), ...blockEvents(turn), messageDelta(turn), messageStop]),
  reply: (turn) => JSON.stringify(replyOf(turn, terms)),
  announcement: () => withRole("messages", messageStart(emptyTurn, terms)),
  around: (events) => withRoles("messages", [messageStart(emptyTurn, terms), ...events, messageStop]),
  malformedEvent: (kind) => withRole("messages", oddPayloads.messages.malformed[kind]),
  malformedReply: () => oddPayloads.messages.reply,
  errorEvent: (message) => withRole("messages", named({ type: "error", error: { type: "overloaded_error", message } })),
  unknownEvent: () => withRole("messages", oddPayloads.messages.unknown),
  error: mockMessagesError,
  streamHeaders: streamHeaders()
})

const named = (payload: JsonObject & { readonly type: string }): SseEvent =>
  SseEvent.withEvent(payload.type, JSON.stringify(payload))

const messageStop = named({ type: "message_stop" })

/** Clients cannot do without the usage of the start: a turn without usage has the usual one here. */
const messageStart = ({ usage }: Turn, terms: FaultTerms): SseEvent =>
  named({
    type: "message_start",
    message: messageOf(terms, {
      content: [],
      reason: null,
      usage: { input_tokens: typeof usage === "number" ? usage : 3, output_tokens: 0 }
    })
  })

const messageDelta = (turn: Turn): SseEvent => {
  const tokens = mockTokens(turn)
  return named({
    type: "message_delta",
    delta: { stop_reason: stopReason(turn), stop_sequence: null },
    ...(tokens === null ? {} : { usage: { output_tokens: tokens.output } })
  })
}

const replyOf = (turn: Turn, terms: FaultTerms): JsonObject => {
  const tokens = mockTokens(turn)
  return messageOf(terms, {
    content: blocksOf(turn.parts).map(({ final }) => final),
    reason: stopReason(turn),
    usage: tokens === null ? null : { input_tokens: tokens.input, output_tokens: tokens.output }
  })
}

const messageOf = (
  { laneAttempt, model }: FaultTerms,
  state: {
    readonly content: ReadonlyArray<JsonObject>
    readonly reason: string | null
    readonly usage: JsonObject | null
  }
): JsonObject => ({
  id: `msg_mock_${laneAttempt}`,
  type: "message",
  role: "assistant",
  model,
  content: state.content,
  stop_reason: state.reason,
  stop_sequence: null,
  ...(state.usage === null ? {} : { usage: state.usage })
})

/** A content block as it starts, its deltas, and as it is in the end. */
interface Block {
  readonly start: JsonObject
  readonly deltas: ReadonlyArray<JsonObject>
  readonly final: JsonObject
}

const blocksOf = (parts: ReadonlyArray<TurnPart>): ReadonlyArray<Block> =>
  parts.flatMap((part) => {
    if (part.kind === "calls") return part.calls.map(callBlock)
    return [part.kind === "text" ? textBlock(part.pieces) : thinkingBlock(part.pieces)]
  })

const textBlock = (pieces: ReadonlyArray<string>): Block => ({
  start: { type: "text", text: "" },
  deltas: pieces.map((text) => ({ type: "text_delta", text })),
  final: { type: "text", text: pieces.join("") }
})

const signature = "bW9jaw=="

const thinkingBlock = (pieces: ReadonlyArray<string>): Block => ({
  start: { type: "thinking", thinking: "", signature: "" },
  deltas: [...pieces.map((thinking) => ({ type: "thinking_delta", thinking })), { type: "signature_delta", signature }],
  final: { type: "thinking", thinking: pieces.join(""), signature }
})

const callBlock = ({ id, name, pieces }: TurnCall): Block => ({
  start: { type: "tool_use", id, name, input: {} },
  deltas: pieces.map((piece) => ({ type: "input_json_delta", partial_json: piece })),
  final: { type: "tool_use", id, name, input: inputOf(pieces.join("")) }
})

/** Arguments that are no JSON stand in a reply as the text that they are. */
const inputOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const blockEvents = ({ parts }: Turn): ReadonlyArray<SseEvent> => {
  let index = 0
  return parts.flatMap((part) => {
    const written = blocksOf([part]).map((block) => writtenBlock(block, index++))
    if (part.kind !== "calls" || part.isInterleaved !== true) {
      return written.flatMap(({ start, deltas, stop }) => [start, ...deltas, stop])
    }
    return [
      ...written.map(({ start }) => start),
      ...interleave(written.map(({ deltas }) => deltas)),
      ...written.map(({ stop }) => stop)
    ]
  })
}

const writtenBlock = ({ start, deltas }: Block, index: number) => ({
  start: named({ type: "content_block_start", index, content_block: start }),
  deltas: deltas.map((delta) => named({ type: "content_block_delta", index, delta })),
  stop: named({ type: "content_block_stop", index })
})
