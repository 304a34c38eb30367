/**
 * The faults of the baseline catalogue, in its order. `random` is a script entry and no fault.
 *
 * **Source** fault-server.md, section 1
 *
 * @since 0.1.0
 * @category faults
 */
export const baselineFaults = [
  "connection_reset",
  "stream_disconnect",
  "empty",
  "empty_body",
  "stream_eof",
  "partial_eof",
  "partial_disconnect",
  "stall",
  "malformed_json",
  "malformed_event",
  "wrong_content_type",
  "rate_limit",
  "server_error",
  "service_unavailable",
  "auth_error",
  "invalid_request",
  "context_overflow",
  "quota_exceeded",
  "success",
  "reasoning_success",
  "tool_call_success",
  "max_tokens",
  "slow_success"
] as const

/**
 * The faults beyond the baseline: silences, errors, odd streams, broken transport, exact cuts.
 *
 * **Source** fault-server.md, section 9.9; wire-formats.md, sections 1.10 and 4
 *
 * @since 0.1.0
 * @category faults
 */
export const largerFaults = [
  "no_response",
  "slow_head",
  "partial_stall",
  "comment_stall",
  "error_event",
  "overloaded",
  "bad_gateway",
  "gateway_timeout",
  "request_timeout",
  "conflict",
  "forbidden",
  "not_found",
  "too_large",
  "retry_after_date",
  "retry_after_ms",
  "retry_after_huge",
  "retry_after_invalid",
  "rate_limit_bare",
  "content_filter",
  "missing_finish",
  "reasoning_only",
  "tool_call_truncated",
  "tool_call_invalid",
  "parallel_tool_calls",
  "usage_missing",
  "usage_overflow",
  "truncated_event",
  "split_frames",
  "split_utf8",
  "split_crlf",
  "crlf_stream",
  "bom_stream",
  "data_after_done",
  "duplicate_done",
  "repeated_event",
  "reordered_events",
  "unknown_event",
  "garbage",
  "html_page",
  "json_error_ok",
  "bad_chunk_framing",
  "length_mismatch",
  "drip",
  "hold_open",
  "half_close",
  "vanish",
  "cut_at_event",
  "cut_at_byte",
  "cut_in_character",
  "cut_before_blank_line",
  "cut_before_done",
  "retry_forced",
  "retry_forbidden",
  "redirect"
] as const

/**
 * Every way in which an answer can be asked for by name, `success` among them.
 *
 * @since 0.1.0
 * @category faults
 */
export type FaultName = (typeof baselineFaults)[number] | (typeof largerFaults)[number]

/** @since 0.1.0 @category faults */
export const faultNames: ReadonlyArray<FaultName> = [...baselineFaults, ...largerFaults]

/** @since 0.1.0 @category guards */
export const isFaultName = (name: unknown): name is FaultName => faultNames.some((known) => known === name)
