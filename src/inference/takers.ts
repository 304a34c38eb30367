import type { Conversation, ConversationRules } from "../domain/conversation.ts"
import { identify } from "../domain/conversation.ts"
import type { SeenRequest } from "../domain/request-condition.ts"
import type { CallFilter } from "./call-filter.ts"
import { type InferenceRequest, seen } from "./inference-request.ts"
import type { HeldParts } from "./make-held-call.ts"

/** A request with who asks. */
export interface IdentifiedRequest {
  readonly request: InferenceRequest
  readonly conversation: Conversation
}

/** Somebody who waits for a request. `take` is called once, in the step in which the copy of the request starts. */
export interface Taker {
  readonly filter: CallFilter
  readonly take: (parts: HeldParts) => void
  /** Where the test asked for it. */
  readonly askedAt: string
}

/** Those who wait, in the order in which they asked. */
export interface Takers {
  add(taker: Taker): () => void
  /** The first whom a request fits; the others stay. */
  find(request: InferenceRequest): { readonly taker: Taker; readonly conversation: Conversation } | undefined
  remove(taker: Taker): void
}

/** @since 0.1.0 @category constructors */
export const makeTakers = (rules: ConversationRules): Takers => {
  const waiting = new Set<Taker>()
  return {
    add(taker) {
      waiting.add(taker)
      return () => waiting.delete(taker)
    },
    find(request) {
      if (waiting.size === 0) return undefined
      const conversation = identify({ ...request, headers: request.head.headers }, rules)
      for (const taker of waiting) if (fits(taker.filter, { request, conversation })) return { taker, conversation }
      return undefined
    },
    remove: (taker) => waiting.delete(taker)
  }
}

const fits = (filter: CallFilter, { request, conversation }: IdentifiedRequest): boolean =>
  (filter.endpoint === undefined || filter.endpoint === request.endpoint) &&
  (filter.kind === undefined || filter.kind === request.kind) &&
  (filter.session === undefined || filter.session === conversation.session) &&
  (filter.turn === undefined || filter.turn === conversation.turn) &&
  (filter.where === undefined || holds(filter.where, request))

/** A test that throws fits nothing. */
const holds = (where: (request: SeenRequest) => boolean, request: InferenceRequest): boolean => {
  try {
    return where(seen(request))
  } catch {
    return false
  }
}
