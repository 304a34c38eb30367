import type { RefusalReason } from "../../domain/refusal-reason.ts"

/** A request that an agent made. */
export interface AgentRequest {
  /** Its id as it was written. */
  readonly idToken: string
  readonly method: string
  readonly params: unknown
  /** Aborted when the agent takes the request back, or the session ends. */
  readonly signal: AbortSignal
}

/** What a request is answered with. */
export type RequestAnswer =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "refusal"; readonly error: RefusalReason }

/** What a handler makes of a request: an answer, one that comes later, or `held`, which leaves it to the test. */
export type HandlerAnswer = RequestAnswer | "held" | Promise<RequestAnswer>

/** A request in the hand of whoever answers it. */
export interface OpenRequest {
  readonly request: AgentRequest
  /** Answers it; false when it was answered, taken back or dropped before. */
  answer(answer: RequestAnswer): boolean
}
