/**
 * The three line endings that readers of event streams must accept; a stream uses one of them throughout.
 *
 * **Source** wire-formats.md, section 1.2
 *
 * @since 0.1.0
 * @category models
 */
export type LineEnding = "lf" | "crlf" | "cr"

/**
 * One Server-Sent Event as data: an optional name and the payload text; with `comment`, a comment frame instead, which is
 * activity on the wire and no event.
 *
 * **Fails** never by itself; names with CR or LF and data with CR are refused where a script is registered
 * **Source** wire-formats.md, section 1.1
 *
 * @since 0.1.0
 * @category models
 */
export interface SseEvent {
  readonly event: string | null
  readonly data: string
  readonly comment?: string
}

/** @since 0.1.0 @category constructors */
export const SseEvent = {
  /** An event without a name. */
  data: (data: string): SseEvent => ({ event: null, data }),
  /** A comment frame, such as providers send to keep a connection alive. */
  comment: (comment = ""): SseEvent => ({ event: null, data: "", comment }),
  /** An event with an `event:` line. */
  withEvent: (event: string, data: string): SseEvent => ({ event, data })
} as const
