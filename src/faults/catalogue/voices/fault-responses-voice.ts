import { SseEvent } from "../../../domain/sse-event.ts"
import type { JsonObject } from "../../../wire/json.ts"
import { emptyTurn } from "../turns.ts"
import type { Turn, Voice, VoiceEvent } from "../voice.ts"
import { withRole, withRoles } from "./event-role.ts"
import { type FaultItem, type FaultPayload, faultItems, itemEvents } from "./fault-items.ts"
import type { FaultTerms } from "./fault-terms.ts"
import { incompleteReason } from "./incomplete-reason.ts"
import { mockError } from "./mock-error.ts"
import { mockTokens } from "./mock-tokens.ts"
import { oddPayloads } from "./odd-payloads.ts"
import { streamHeaders } from "./stream-headers.ts"

/**
 * Responses as the fault server speaks them: `type` is the first member of every payload, `sequence_number` the last, and
 * there is no `[DONE]`.
 *
 * **Source** fault-server.md, sections 9.4.2, 9.4.4 and 9.4.5
 *
 * @since 0.1.0
 * @category constructors
 */
export const faultResponsesVoice = (terms: FaultTerms): Voice => ({
  format: "responses",
  events(turn) {
    const items = faultItems(turn, terms)
    const payloads = [...opening(terms), ...itemEvents(turn, items), terminal(turn, items, terms)]
    return withRoles("responses", payloads.map(numbered))
  },
  reply: (turn) => JSON.stringify(finalResponse(turn, faultItems(turn, terms), terms)),
  announcement: () => withRole("responses", numbered(created(terms), 0)),
  around: (events) => around(events, terms),
  malformedEvent: (kind) => withRole("responses", oddPayloads.responses.malformed[kind]),
  malformedReply: () => oddPayloads.responses.reply,
  errorEvent: (message, at = 0) =>
    withRole("responses", numbered({ type: "error", code: "server_error", message, param: null }, at)),
  unknownEvent: () => withRole("responses", oddPayloads.responses.unknown),
  error: mockError,
  streamHeaders: streamHeaders()
})

const numbered = (payload: FaultPayload, sequence: number): SseEvent =>
  SseEvent.withEvent(payload.type, JSON.stringify({ ...payload, sequence_number: sequence }))

const created = (terms: FaultTerms): FaultPayload => ({ type: "response.created", response: openResponse(terms) })

const opening = (terms: FaultTerms): ReadonlyArray<FaultPayload> => [
  created(terms),
  { type: "response.in_progress", response: openResponse(terms) }
]

const terminal = (turn: Turn, items: ReadonlyArray<FaultItem>, terms: FaultTerms): FaultPayload => ({
  type: incompleteReason(turn) === null ? "response.completed" : "response.incomplete",
  response: finalResponse(turn, items, terms)
})

/** What stands between takes a number, though its payload shows none. */
const around = (events: ReadonlyArray<SseEvent>, terms: FaultTerms): ReadonlyArray<VoiceEvent> => {
  const before = opening(terms).map(numbered)
  const end = terminal(emptyTurn, [], terms)
  return withRoles("responses", [...before, ...events, numbered(end, before.length + events.length)])
}

const openResponse = (terms: FaultTerms): JsonObject =>
  responseObject({ status: "in_progress", output: [], reason: null, ending: { usage: null } }, terms)

const finalResponse = (turn: Turn, items: ReadonlyArray<FaultItem>, terms: FaultTerms): JsonObject => {
  const reason = incompleteReason(turn)
  const usage = usageOf(turn)
  return responseObject(
    {
      status: reason === null ? "completed" : "incomplete",
      output: items.map(({ item }) => item),
      reason,
      ending: usage === null ? {} : { usage }
    },
    terms
  )
}

const responseObject = (
  state: {
    readonly status: string
    readonly output: ReadonlyArray<JsonObject>
    readonly reason: string | null
    /** The members after all others: the usage, if it is to be seen at all. */
    readonly ending: JsonObject
  },
  { laneAttempt, model }: FaultTerms
): JsonObject => ({
  id: `resp_mock_${laneAttempt}`,
  object: "response",
  created_at: 0,
  status: state.status,
  model,
  output: state.output,
  error: null,
  incomplete_details: state.reason === null ? null : { reason: state.reason },
  ...state.ending
})

const usageOf = (turn: Turn): JsonObject | null => {
  const tokens = mockTokens(turn)
  if (tokens === null) return null
  return {
    input_tokens: tokens.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: tokens.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens.total
  }
}
