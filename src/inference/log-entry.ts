import type { RequestKind } from "../domain/classification.ts"
import type { Outcome, Settlement } from "../domain/outcome.ts"
import type { Header } from "../domain/request.ts"
import type { AnswerSource } from "../domain/trace-event.ts"

/**
 * How a request was answered, as far as it has gone.
 *
 * @since 0.1.0
 * @category log
 */
export interface AnswerRecord {
  readonly source: AnswerSource
  /** The expectation that was claimed or joined. */
  readonly expectation: string | null
  /**
   * Why no expectation took the request, where a strict server had nothing for it (source `unexpected`, or `unauthorized` where it
   * had no valid key either); else `null`.
   */
  readonly miss: string | null
  /** `null` while no head was sent. */
  readonly status: number | null
  /** What was served of the body, as text; `undefined` when the log no longer keeps it. Comments are left out. */
  readonly text: string | undefined
  /** The length of what was served, in bytes. */
  readonly bytes: number
  readonly events: number
  readonly settled: Settlement | null
  readonly outcome: Outcome | null
}

/**
 * One request that reached a logged route. `body` is the parsed JSON, `undefined` where the route has none or where
 * the log no longer keeps it (`isTrimmed`; then the headers are gone too).
 *
 * **Source** inference-server.md, section 9
 *
 * @since 0.1.0
 * @category log
 */
export interface LogEntry {
  /** Running number of the request on its server, from 1. */
  readonly number: number
  readonly method: string
  readonly path: string
  /** Foreground or auxiliary, on inference routes; `null` elsewhere. Expectations are matched by it. */
  readonly kind: RequestKind | null
  /**
   * Who asked, where something wanted to know it (attempts, filters, conditions); else `null`. A longer name is cut at 256
   * characters.
   */
  readonly session: string | null
  readonly turn: number | null
  /** Which try of its call it was, from 1, while attempts are counted; else `null`. One that is refused for want of a key is none. */
  readonly attempt: number | null
  readonly body: unknown
  readonly authorization: string | undefined
  readonly headers: ReadonlyArray<Header>
  readonly answer: AnswerRecord
  readonly isTrimmed: boolean
  /** The first value of a header, whatever the case of `name`. */
  header(name: string): string | undefined
}
