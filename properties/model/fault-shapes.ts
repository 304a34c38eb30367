import type { FaultName } from "../../src/domain/fault-names.ts"
import type { FaultSettings } from "../../src/domain/fault-options.ts"
import type { FaultFormat } from "../../src/faults/catalogue/voice.ts"

/** What a behaviour is on the wire, read from the specification and not from the catalogue. */
export interface Shape {
  /** How it ends for a client that stays. */
  readonly ends: "completed" | "reset" | "stalled"
  /** Not one byte comes. */
  readonly isHeadless?: boolean
  /** An HTTP error: the status in chat and Responses, and in Messages. */
  readonly error?: readonly [mock: number, messages: number]
  /** Another status than 200 of what is no error of the API. */
  readonly status?: number
  /** Where `[DONE]` stands in a chat stream. Default: once, and last. */
  readonly done?: "none" | "once" | "early" | "twice" | "maybe"
  /** The text that its stream says whole, and how it says it finished. */
  readonly text?: "successText" | "partialText"
  readonly finish?: "stop" | "length" | "content_filter" | "none"
  readonly reasons?: boolean
  /** How it is dropped: by `resetMode`, or always in one way. */
  readonly drop?: "fin" | "halfClose"
  /** How long it takes, of a stream and of a reply. Default: no time. */
  readonly takes?: (settings: FaultSettings, isStream: boolean) => number
}

const pieces = (text: string, { chunkSize }: FaultSettings): number => Math.ceil(Array.from(text).length / chunkSize)

const beforeDrop = ({ disconnectDelayMs }: FaultSettings): number => disconnectDelayMs

const good = { ends: "completed", text: "successText", finish: "stop" } as const
const error = (mock: number, messages = mock): Shape => ({ ends: "completed", done: "none", error: [mock, messages] })
const cut = (shape: Partial<Shape> = {}): Shape => ({ ends: "reset", done: "none", takes: beforeDrop, ...shape })
const silent = (shape: Partial<Shape> = {}): Shape => ({ ends: "stalled", done: "none", ...shape })
const odd = (shape: Partial<Shape> = {}): Shape => ({ ends: "completed", done: "none", ...shape })

/** Every behaviour, one row each. */
export const shapes: Readonly<Record<FaultName, Shape>> = {
  connection_reset: { ends: "reset", isHeadless: true, done: "none" },
  stream_disconnect: cut(),
  empty: { ends: "completed", finish: "stop" },
  empty_body: odd(),
  stream_eof: odd(),
  partial_eof: odd({ text: "partialText", finish: "none" }),
  partial_disconnect: cut({
    text: "partialText",
    finish: "none",
    takes: (settings, isStream) =>
      (isStream ? pieces(settings.partialText, settings) * settings.chunkDelayMs : 0) + settings.disconnectDelayMs
  }),
  stall: silent(),
  malformed_json: { ends: "completed" },
  malformed_event: { ends: "completed" },
  wrong_content_type: good,
  rate_limit: error(429),
  server_error: error(500),
  service_unavailable: error(503, 529),
  auth_error: error(401),
  invalid_request: error(400),
  context_overflow: error(400),
  quota_exceeded: error(429, 402),
  success: good,
  reasoning_success: { ...good, reasons: true },
  tool_call_success: { ends: "completed" },
  max_tokens: { ...good, finish: "length" },
  slow_success: { ...good, takes: (settings) => pieces(settings.successText, settings) * settings.chunkDelayMs },
  no_response: silent({ isHeadless: true }),
  slow_head: { ...good, takes: ({ headDelayMs }) => headDelayMs },
  partial_stall: silent({ text: "partialText", finish: "none" }),
  comment_stall: silent(),
  error_event: odd({ text: "partialText", finish: "none" }),
  overloaded: error(529),
  bad_gateway: odd({ status: 502 }),
  gateway_timeout: error(504),
  request_timeout: error(408),
  conflict: error(409),
  forbidden: error(403),
  not_found: error(404),
  too_large: error(413),
  retry_after_date: error(429),
  retry_after_ms: error(429),
  retry_after_huge: error(429),
  retry_after_invalid: error(429),
  rate_limit_bare: error(429),
  content_filter: { ...good, finish: "content_filter" },
  missing_finish: { ...good, finish: "none" },
  reasoning_only: { ends: "completed", finish: "stop" },
  tool_call_truncated: { ends: "completed" },
  tool_call_invalid: { ends: "completed" },
  parallel_tool_calls: { ends: "completed" },
  usage_missing: good,
  usage_overflow: good,
  truncated_event: odd({ text: "successText" }),
  split_frames: good,
  split_utf8: { ends: "completed" },
  split_crlf: good,
  crlf_stream: good,
  bom_stream: good,
  data_after_done: { ends: "completed", done: "early" },
  duplicate_done: { ends: "completed", text: "successText", done: "twice" },
  repeated_event: { ends: "completed" },
  reordered_events: { ends: "completed" },
  unknown_event: good,
  garbage: odd(),
  html_page: odd(),
  json_error_ok: odd(),
  bad_chunk_framing: { ends: "reset", drop: "fin", done: "none" },
  length_mismatch: { ...good, ends: "reset", drop: "fin" },
  drip: good,
  hold_open: { ...good, ends: "stalled" },
  half_close: { ends: "reset", drop: "halfClose", done: "none", text: "partialText", finish: "none" },
  vanish: silent({ text: "partialText", finish: "none" }),
  cut_at_event: cut({ done: "maybe" }),
  cut_at_byte: cut({ done: "maybe" }),
  cut_in_character: cut(),
  cut_before_blank_line: cut(),
  cut_before_done: cut({ text: "successText" }),
  retry_forced: error(400),
  retry_forbidden: error(503),
  redirect: odd({ status: 307 })
}

/** What an exhausted script yields. */
export const exhaustedShape: Shape = error(500)

export const shapeOf = (behavior: FaultName | "script_exhausted"): Shape =>
  behavior === "script_exhausted" ? exhaustedShape : shapes[behavior]

/** The status of an answer; `null` where not even that comes. */
export const statusOf = ({ isHeadless, error: statuses, status = 200 }: Shape, format: FaultFormat): number | null => {
  if (isHeadless === true) return null
  if (statuses === undefined) return status
  return format === "messages" ? statuses[1] : statuses[0]
}
