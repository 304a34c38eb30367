import { isRecord } from "../../../domain/json.ts"
import { SseEvent } from "../../../domain/sse-event.ts"
import { type Fragments, fragments } from "../../../wire/fragments.ts"
import type { JsonObject } from "../../../wire/json.ts"
import { compactResponsesEvents } from "../../../wire/responses/compact.ts"
import { fullResponsesEvents, responsesReplyBody } from "../../../wire/responses/full.ts"
import type { ResponsesOptions } from "../../../wire/responses/options.ts"
import { responses } from "../../../wire/responses/responses.ts"
import type { CorePart, ResponsesEnding, ResponsesTurn } from "../../../wire/responses/turn.ts"
import { emptyTurn } from "../turns.ts"
import type { Turn, TurnPart, Voice } from "../voice.ts"
import { withRole, withRoles } from "./event-role.ts"
import { incompleteReason } from "./incomplete-reason.ts"
import { oddPayloads } from "./odd-payloads.ts"
import { providerError } from "./provider-error.ts"
import type { ProviderTerms } from "./provider-terms.ts"
import { streamHeaders } from "./stream-headers.ts"
import { eventAt, rewritten, withoutUsage } from "./written-event.ts"

/**
 * Responses as the inference server writes them. Profile compact knows complete answers of text, of a thought, of both,
 * and of a thought with one call; all else is profile full.
 *
 * **Source** wire-formats.md, sections 2B and 2D
 *
 * @since 0.1.0
 * @category constructors
 */
export const providerResponsesVoice = (terms: ProviderTerms): Voice => ({
  format: "responses",
  events: (turn) => withRoles("responses", turnEvents(turn, terms)),
  reply: (turn) => JSON.stringify(replyOf(turn, terms)),
  announcement: () => withRole("responses", eventAt(turnEvents(emptyTurn, terms), 0)),
  around: (events) => withRoles("responses", around(events, terms)),
  malformedEvent: (kind) => withRole("responses", inProfile(oddPayloads.responses.malformed[kind], terms)),
  malformedReply: () => oddPayloads.responses.reply,
  errorEvent: (message, at = 0) =>
    withRole("responses", renumbered(eventAt(responses.error({ model: terms.model, message }), -1), at)),
  unknownEvent: () => withRole("responses", inProfile(oddPayloads.responses.unknown, terms)),
  error: providerError("Responses"),
  streamHeaders: streamHeaders({ isBare: terms.profile === "compact" })
})

const turnEvents = (turn: Turn, terms: ProviderTerms): ReadonlyArray<SseEvent> => {
  const options = optionsOf(turn, terms)
  const isCompact = terms.profile === "compact" && hasCompactForm(turn)
  const events = isCompact
    ? compactResponsesEvents(responsesTurn(turn), options)
    : fullResponsesEvents(responsesTurn(turn), options)
  return turn.usage === "none" ? events.map(unmetered) : events
}

const unmetered = (event: SseEvent): SseEvent =>
  rewritten(event, (payload) => {
    const { response } = payload
    return isRecord(response) && isRecord(response["usage"])
      ? { ...payload, response: withoutUsage(response) }
      : payload
  })

const replyOf = (turn: Turn, terms: ProviderTerms): JsonObject => {
  const body = responsesReplyBody(responsesTurn(turn), optionsOf(turn, terms))
  return turn.usage === "none" ? withoutUsage(body) : body
}

/** What stands between takes a number, though its payload may show none. */
const around = (between: ReadonlyArray<SseEvent>, terms: ProviderTerms): ReadonlyArray<SseEvent> => {
  const empty = withRoles("responses", turnEvents(emptyTurn, terms))
  const end = empty.findIndex(({ role }) => role === "last")
  const [terminal, ...marker] = empty.slice(end)
  if (terminal === undefined) return [...empty, ...between]
  return [...empty.slice(0, end), ...between, renumbered(terminal, end + between.length), ...marker]
}

const renumbered = (event: SseEvent, sequence: number): SseEvent =>
  rewritten(event, (payload) => ({ ...payload, sequence_number: sequence }))

/** Profile compact has no names. */
const inProfile = (event: SseEvent, { profile }: ProviderTerms): SseEvent =>
  profile === "compact" ? SseEvent.data(event.data) : event

const optionsOf = ({ usage, outputTokens }: Turn, { model, request }: ProviderTerms): ResponsesOptions => ({
  model,
  request,
  usage: { outputTokens, ...(typeof usage === "number" ? { inputTokens: usage } : {}) }
})

const responsesTurn = (turn: Turn): ResponsesTurn<CorePart> => ({
  parts: turn.parts.flatMap(responsesParts),
  order: turn.parts.some((part) => part.kind === "calls" && part.isInterleaved === true) ? "interleaved" : "sequential",
  ending: endingOf(turn),
  queued: false,
  labels: [],
  checked: false,
  spliced: null
})

const responsesParts = (part: TurnPart): ReadonlyArray<CorePart> => {
  switch (part.kind) {
    case "text":
      return [{ kind: "message", text: asCut(part.pieces), annotations: [] }]
    case "reasoning":
      return [{ kind: "reasoning", summary: [asCut(part.pieces)], content: null, encrypted: null }]
    case "calls":
      return part.calls.map(({ id, name, pieces }) => ({ kind: "call", callId: id, name, arguments: asCut(pieces) }))
  }
}

const asCut = (pieces: ReadonlyArray<string>): Fragments => fragments(pieces.join(""), () => pieces)

const endingOf = (turn: Turn): ResponsesEnding => {
  const reason = incompleteReason(turn)
  return reason === null ? { kind: "completed" } : { kind: "incomplete", reason }
}

const compactForms: ReadonlySet<string> = new Set(["", "text", "reasoning", "reasoning text", "reasoning call"])

const hasCompactForm = (turn: Turn): boolean => {
  const kinds = turn.parts.flatMap((part) => (part.kind === "calls" ? part.calls.map(() => "call") : [part.kind]))
  return incompleteReason(turn) === null && compactForms.has(kinds.join(" "))
}
