import type { FaultName } from "../../src/domain/fault-names.ts"
import { statusOf } from "../model/fault-shapes.ts"
import {
  bodyBytes,
  bodyText,
  eventData,
  exchangesOf,
  type FaultExchange,
  type FaultLaw,
  headerOf,
  named,
  same,
  wholeOf
} from "./fault-account.ts"

/** 16 and 17. `completed` is a whole HTTP message and a clean end; `reset` is neither. */
export const outcomeIsTheEnd: FaultLaw = (run) => {
  for (const exchange of exchangesOf(run)) {
    const { record, ended, shape } = exchange
    const length = headerOf(exchange, "content-length")
    const missing = length === undefined ? null : Number(length) - bodyBytes(exchange).length
    if (record.outcome !== "client_closed") same(`the outcome of ${named(exchange)}`, record.outcome, shape.ends)
    if (record.outcome === "completed") {
      same(`how ${named(exchange)} ended`, ended, "end")
      if (missing !== null) same(`what is missing of ${named(exchange)}`, missing, 0)
    }
    if (record.outcome === "reset") {
      same(`how ${named(exchange)} ended`, ended, dropOf(exchange))
      same(`the close mode of ${named(exchange)}`, record.closeMode, dropOf(exchange))
      if (missing !== null && missing <= 0) throw new Error(`${named(exchange)} was whole when it was reset`)
    }
    if (record.outcome === "stalled" && ended === "end") throw new Error(`${named(exchange)} stalled and ended`)
  }
}

const dropOf = ({ shape, expected }: FaultExchange): string => shape.drop ?? expected.settings.resetMode

/** 18. A client that reads to the end receives as many events as were counted, and as many bytes; heartbeats are neither. */
export const countedIsReceived: FaultLaw = (run) => {
  for (const exchange of wholeOf(run)) {
    const { record } = exchange
    const text = bodyText(exchange)
    same(`the events of ${named(exchange)}`, record.stream ? eventData(text).length : 0, record.chunksSent)
    const counted = record.behavior === "comment_stall" ? [] : exchange.pieces
    const bytes = counted.reduce((sum, piece) => sum + piece.bytes.length, 0)
    same(`the bytes of ${named(exchange)}`, bytes, record.bytesSent)
  }
}

/** 19. The status is that of the behaviour, and comes before everything else; `connection_reset` sends no byte. */
export const headComesFirst: FaultLaw = (run) => {
  for (const exchange of wholeOf(run)) {
    const { shape, record, status, pieces, firstByte } = exchange
    same(`the status of ${named(exchange)}`, status, statusOf(shape, record.format))
    same(`the recorded status of ${named(exchange)}`, record.status, status ?? undefined)
    if (shape.isHeadless === true) same(`the pieces of ${named(exchange)}`, pieces.length, 0)
    if (firstByte !== null) same(`whether the head of ${named(exchange)} came first`, firstByte.hasHead, true)
    same(`the content type of ${named(exchange)}`, headerOf(exchange, "content-type"), typeOf(exchange))
  }
}

const stream = "text/event-stream; charset=utf-8"
const json = "application/json"

const typeOf = ({ record: { behavior, stream: isStream }, shape }: FaultExchange): string | undefined => {
  if (shape.isHeadless === true || behavior === "redirect") return undefined
  if (shape.error !== undefined) return json
  const other = otherTypes[behavior]
  if (other !== undefined) return other
  const isSwapped = behavior === "wrong_content_type"
  return isStream !== isSwapped ? stream : json
}

const otherTypes: Partial<Record<FaultName | "script_exhausted", string>> = {
  bad_gateway: "text/html",
  html_page: "text/html; charset=utf-8",
  json_error_ok: json
}

/** 23. `[DONE]` stands once and last in a chat stream, where its behaviour does not leave it out or move it. */
export const doneIsLast: FaultLaw = (run) => {
  for (const exchange of wholeOf(run)) {
    const { record, shape } = exchange
    if (!record.stream) continue
    const data = eventData(bodyText(exchange))
    const places = data.flatMap((text, index) => (text === "[DONE]" ? [index - data.length + 1] : []))
    const expected = record.format === "chat" ? (shape.done ?? "once") : "none"
    if (expected === "maybe") same(`a [DONE] of ${named(exchange)}`, [places.length <= 1, places[0] ?? 0], [true, 0])
    else if (expected === "early")
      same(`the [DONE] of ${named(exchange)}`, [places.length, (places[0] ?? 0) < 0], [1, true])
    else same(`the [DONE] of ${named(exchange)}`, places, lasts[expected])
  }
}

const lasts = { none: [], once: [0], twice: [-1, 0] } as const

/** 24. `retry-after` is sent by the behaviours that are about it, in whole seconds that are never too few. */
export const retryAfterIsRight: FaultLaw = (run) => {
  for (const exchange of wholeOf(run)) {
    const { record, expected, headers } = exchange
    const { retryAfterMs } = expected.settings
    const after = headerOf(exchange, "retry-after")
    const seconds = Math.ceil(retryAfterMs / 1_000)
    if (record.behavior === "retry_after_date") {
      const waitMs = Date.parse(after ?? "") - Date.parse(headerOf(exchange, "date") ?? "")
      if (!(waitMs >= retryAfterMs - 1_000 && waitMs <= retryAfterMs + 2_000))
        throw new Error(`${named(exchange)} says ${after}`)
      continue
    }
    same(`the retry-after of ${named(exchange)}`, after, waits[record.behavior]?.(seconds))
    same(
      `the retry-after-ms of ${named(exchange)}`,
      headers.find(([name]) => name === "retry-after-ms")?.[1],
      record.behavior === "retry_after_ms" ? String(retryAfterMs) : undefined
    )
  }
}

const waits: Partial<Record<FaultName | "script_exhausted", (seconds: number) => string>> = {
  rate_limit: String,
  retry_after_huge: () => "86400",
  retry_after_invalid: () => "soon"
}

/** 25. All errors of the API carry the request id where one is set, and nothing else does. */
export const requestIdIsOnErrors: FaultLaw = (run) => {
  for (const exchange of wholeOf(run)) {
    const { record, expected, shape } = exchange
    const id = shape.error === undefined ? null : expected.settings.requestId
    same(`the request id of ${named(exchange)}`, headerOf(exchange, "x-request-id") ?? null, id)
    const isMessages = record.format === "messages"
    same(`the id of Messages of ${named(exchange)}`, headerOf(exchange, "request-id") ?? null, isMessages ? id : null)
    if (shape.error === undefined) continue
    const isMarked =
      record.behavior === "script_exhausted" && (expected.format !== "chat" || run.history.setup.terms.markErrors)
    same(
      `the mark of ${named(exchange)}`,
      headerOf(exchange, "x-mock-error") ?? null,
      isMarked ? "MOCK_SCRIPT_EXHAUSTED" : null
    )
    const body = JSON.parse(bodyText(exchange))
    same(`the id in the body of ${named(exchange)}`, body.request_id ?? null, isMessages ? id : null)
    same(
      `the members of the error of ${named(exchange)}`,
      Object.keys(body.error),
      isMessages ? ["type", "message"] : ["message", "type", "code"]
    )
  }
}
