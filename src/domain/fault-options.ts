/** How a fault drops its connection: an orderly end, or a reset. */
export type ResetMode = "fin" | "rst"

/**
 * What can be said about a fault; each fault uses the members that concern it. Texts are not empty, times are
 * milliseconds, `chunkSize` is code points of a piece, `toolArguments` is JSON text.
 *
 * **Source** fault-server.md, sections 0.3, 4.2 and 9.9
 *
 * @since 0.1.0
 * @category faults
 */
export interface FaultOptions {
  readonly successText?: string
  readonly partialText?: string
  readonly reasoningText?: string
  readonly chunkSize?: number
  /** Pause after each piece of a slow stream. */
  readonly chunkDelayMs?: number
  /** Silence before a connection is dropped. */
  readonly disconnectDelayMs?: number
  /** What `retry-after` asks for. */
  readonly retryAfterMs?: number
  /** Sent as `x-request-id` with errors; absent means no such header. */
  readonly requestId?: string
  readonly toolName?: string
  readonly toolArguments?: string
  readonly resetMode?: ResetMode
  /** Silence before the head of `slow_head`. */
  readonly headDelayMs?: number
  /** Pause between the comments of `comment_stall`. */
  readonly heartbeatMs?: number
  /** Tokens of the context window that `usage_overflow` exceeds. */
  readonly contextWindow?: number
  /** Events that `cut_at_event` sends. */
  readonly cutAfterEvents?: number
  /** Bytes of the body that `cut_at_byte` sends. */
  readonly cutAfterBytes?: number
}

/** The same with everything decided; only `requestId` may be absent. */
export type FaultSettings = Required<Omit<FaultOptions, "requestId">> & { readonly requestId: string | null }

/**
 * @since 0.1.0
 * @category faults
 */
export const faultDefaults: FaultSettings = {
  successText: "mock response recovered",
  partialText: "discarded partial response",
  reasoningText: "mock reasoning",
  chunkSize: 8,
  chunkDelayMs: 25,
  disconnectDelayMs: 10,
  retryAfterMs: 1_000,
  requestId: null,
  toolName: "mock_tool",
  toolArguments: '{"value":"mock"}',
  resetMode: "fin",
  headDelayMs: 1_000,
  heartbeatMs: 1_000,
  contextWindow: 128_000,
  cutAfterEvents: 1,
  cutAfterBytes: 64
}
