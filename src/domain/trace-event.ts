import type { RequestKind } from "./classification.ts"
import type { SessionRule } from "./conversation.ts"
import type { InferenceEndpoint } from "./endpoint.ts"
import type { RetryReason } from "./known-attempt.ts"
import type { Outcome, Settlement } from "./outcome.ts"
import type { Phase } from "./phase.ts"
import type { Ending } from "./plan.ts"

/** Where an answer came from, in the order in which the sources are asked. */
export type AnswerSource =
  | "replay"
  | "fault"
  | "held"
  | "expectation"
  | "queue"
  | "unauthorized"
  | "turn"
  | "mode"
  | "unexpected"
  | "resource"

/**
 * One thing that happened. `request` is the running number of a request on its server, from 1; `actor` that of a chart
 * instance.
 *
 * @since 0.1.0
 * @category traces
 */
export type TraceFact =
  | {
      readonly type: "step"
      readonly actor: number
      readonly chart: string
      readonly event: string
      readonly state: string
      readonly handled: boolean
    }
  | { readonly type: "request"; readonly request: number; readonly method: string; readonly path: string }
  | { readonly type: "refused"; readonly method: string; readonly path: string; readonly status: number }
  | {
      readonly type: "decision"
      readonly request: number
      readonly actor: number
      readonly endpoint: InferenceEndpoint
      readonly kind: RequestKind
      readonly source: AnswerSource
      readonly expectation: string | null
      /** Why no expectation took it, where a strict server had nothing for it; else `null`. */
      readonly miss: string | null
    }
  | {
      /**
       * Who asks; written once, for requests of which something wanted to know it. Of one that the test held before attempts were
       * counted, and handed back after, once more, with its attempt.
       */
      readonly type: "conversation"
      readonly request: number
      /** Cut at 256 characters. */
      readonly session: string
      /** Which rule named the session. */
      readonly sessionRule: SessionRule
      readonly turn: number
      /** `null` while attempts are not counted, and for a request that was refused for want of a key. */
      readonly attempt: number | null
      /** What made it the same call as an earlier one, or would. */
      readonly callRule: "idempotency header" | "fingerprint"
      /** The number of the try before, and why this is another one; `null` for a first attempt. */
      readonly retryOf: number | null
      readonly because: RetryReason | null
    }
  | {
      readonly type: "expectation"
      readonly name: string
      readonly actor: number
      /** Barriers at which every copy of its call stands before it crosses. */
      readonly barriers: ReadonlyArray<string>
    }
  /** A copy of the call stands before a barrier, be that closed or open. */
  | {
      readonly type: "barrier.reached"
      readonly request: number
      readonly expectation: string
      readonly barrier: string
    }
  /** The test released it; `null` is all barriers. */
  | { readonly type: "barrier.released"; readonly expectation: string; readonly barrier: string | null }
  | { readonly type: "phase"; readonly expectation: string; readonly phase: Phase }
  | {
      readonly type: "fault"
      readonly request: number
      readonly actor: number
      readonly lane: string
      readonly laneAttempt: number
      /** The entry of the script, which may be `random`. */
      readonly entry: string
      readonly behavior: string
      /** How the plan ends: of `vanish` the wire shows nothing, live or simulated. */
      readonly ending: Ending
    }
  | { readonly type: "settled"; readonly request: number; readonly as: Settlement }
  | {
      readonly type: "ended"
      readonly request: number
      readonly outcome: Outcome
      readonly bytes: number
      readonly events: number
    }
  | { readonly type: "closed"; readonly blocked: ReadonlyArray<string> }

/** A fact with its place in the trace (from 0) and its time in milliseconds of the server's clock. */
export type TraceEvent = TraceFact & { readonly index: number; readonly at: number }
