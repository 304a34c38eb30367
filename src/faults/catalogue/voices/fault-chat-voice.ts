import { SseEvent } from "../../../domain/sse-event.ts"
import type { JsonObject } from "../../../wire/json.ts"
import { interleave, joined } from "../../../wire/lists.ts"
import type { Turn, TurnCall, TurnPart, Voice, VoiceEvent } from "../voice.ts"
import { withRole, withRoles } from "./event-role.ts"
import type { FaultTerms } from "./fault-terms.ts"
import { mockError } from "./mock-error.ts"
import { mockTokens } from "./mock-tokens.ts"
import { oddPayloads } from "./odd-payloads.ts"
import { streamHeaders } from "./stream-headers.ts"
import { turnCalls, turnText } from "./turn-content.ts"

/**
 * Chat Completions as the fault server speaks them: in the minimal shape a chunk is nothing but a choice, the complete
 * shape has the envelope, the role and the total that accumulating clients need.
 *
 * **Source** fault-server.md, sections 1.1, 9.4.1 and 9.4.5
 *
 * @since 0.1.0
 * @category constructors
 */
export const faultChatVoice = (terms: FaultTerms): Voice => ({
  format: "chat",
  events: (turn) => voiced([...choiceEvents(turn, terms), ...trailingUsage(turn, terms), done]),
  reply: (turn) => JSON.stringify(replyOf(turn, terms)),
  announcement: () => withRole("chat", chunk(terms, [choice({ role: "assistant" })])),
  around: (events) => voiced([...events, done]),
  malformedEvent: (kind) => withRole("chat", oddPayloads.chat.malformed[kind]),
  malformedReply: () => oddPayloads.chat.reply,
  errorEvent: (message) =>
    withRole("chat", SseEvent.data(JSON.stringify({ error: { message, type: "mock_error", code: "server_error" } }))),
  unknownEvent: () => withRole("chat", oddPayloads.chat.unknown),
  error: mockError,
  streamHeaders: streamHeaders()
})

const done = SseEvent.data("[DONE]")

const voiced = (events: ReadonlyArray<SseEvent>): ReadonlyArray<VoiceEvent> => withRoles("chat", events)

const choice = (delta: JsonObject, reason: string | null = null): JsonObject => ({
  index: 0,
  delta,
  finish_reason: reason
})

const chunk = (terms: FaultTerms, choices: ReadonlyArray<JsonObject>, usage: JsonObject | null = null): SseEvent =>
  SseEvent.data(
    JSON.stringify({
      ...(terms.chunkShape === "minimal" ? {} : envelope("chat.completion.chunk", terms)),
      choices,
      ...(usage === null ? {} : { usage })
    })
  )

const envelope = (object: string, { laneAttempt, model }: FaultTerms): JsonObject => ({
  id: `chatcmpl-mock-${laneAttempt}`,
  object,
  created: 0,
  model
})

const choiceEvents = (turn: Turn, terms: FaultTerms): ReadonlyArray<SseEvent> => {
  const choices = [
    ...turnDeltas(turn).map((delta) => ({ delta, reason: null })),
    { delta: { content: "" }, reason: turn.finish }
  ]
  const role = terms.chunkShape === "complete" ? { role: "assistant" } : {}
  return choices.map(({ delta, reason }, at) =>
    chunk(
      terms,
      [choice(at === 0 ? { ...role, ...delta } : delta, reason)],
      at === choices.length - 1 && placesOf(terms).isAttached ? usageOf(turn, terms) : null
    )
  )
}

const trailingUsage = (turn: Turn, terms: FaultTerms): ReadonlyArray<SseEvent> => {
  const usage = usageOf(turn, terms)
  return placesOf(terms).isTrailing && usage !== null ? [chunk(terms, [], usage)] : []
}

const placesOf = ({ usagePlacement, includeUsage }: FaultTerms) => {
  const placement = usagePlacement === "auto" ? (includeUsage ? "trailing" : "attached") : usagePlacement
  return {
    isAttached: placement === "attached" || placement === "both",
    isTrailing: placement === "trailing" || placement === "both"
  }
}

const usageOf = (turn: Turn, { chunkShape }: FaultTerms): JsonObject | null => {
  const tokens = mockTokens(turn)
  if (tokens === null) return null
  const usage = { prompt_tokens: tokens.input, completion_tokens: tokens.output }
  return chunkShape === "minimal" ? usage : { ...usage, total_tokens: tokens.total }
}

/** Calls are numbered through the whole turn. */
const turnDeltas = (turn: Turn): ReadonlyArray<JsonObject> => {
  let calls = 0
  return turn.parts.flatMap((part) => partDeltas(part, () => calls++))
}

const partDeltas = (part: TurnPart, nextIndex: () => number): ReadonlyArray<JsonObject> => {
  if (part.kind === "text") return part.pieces.map((content) => ({ content }))
  if (part.kind === "reasoning") return part.pieces.map((piece) => ({ reasoning_content: piece }))
  const lists = part.calls.map((call) => callDeltas(call, nextIndex()))
  return part.isInterleaved === true ? interleave(lists) : joined(lists)
}

const callDeltas = ({ id, name, pieces }: TurnCall, index: number): ReadonlyArray<JsonObject> => {
  const [first = "", ...others] = pieces
  return [
    { tool_calls: [{ index, id, type: "function", function: { name, arguments: first } }] },
    ...others.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] }))
  ]
}

/** Always in the complete shape: the minimal one is a shape of streams. */
const replyOf = (turn: Turn, terms: FaultTerms): JsonObject => {
  const usage = usageOf(turn, { ...terms, chunkShape: "complete" })
  const calls = turnCalls(turn)
  const reasoning = turnText(turn, "reasoning")
  const message = {
    role: "assistant",
    content: turnText(turn, "text") ?? (calls.length === 0 ? "" : null),
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(wholeCall) })
  }
  return {
    ...envelope("chat.completion", terms),
    choices: [{ index: 0, message, finish_reason: turn.finish }],
    ...(usage === null ? {} : { usage })
  }
}

const wholeCall = ({ id, name, pieces }: TurnCall): JsonObject => ({
  id,
  type: "function",
  function: { name, arguments: pieces.join("") }
})
