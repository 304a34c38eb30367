import type { SessionRules } from "../domain/conversation.ts"
import type { Trace } from "../kernel/trace.ts"
import type { Attempts } from "../serving/attempts.ts"
import type { ExpectationBook } from "./expectation-book.ts"
import type { Gate } from "./gate.ts"
import type { RequestLog } from "./request-log.ts"
import type { ServerState } from "./server-state.ts"
import type { Takers } from "./takers.ts"

/** What the answers are made from. */
export interface AnswerParts {
  readonly state: ServerState
  readonly book: ExpectationBook
  readonly gate: Gate
  readonly log: RequestLog
  readonly trace: Trace
  readonly takers: Takers
  readonly attempts: Attempts
  /** Milliseconds since 1970. */
  readonly wallMs: () => number
  /** Whether a request may ask for a fault by a header. */
  readonly mayAskForFaults: () => boolean
  readonly rules: SessionRules
}
