import { classifyKind, type RequestClass } from "../domain/classification.ts"
import type { Conversation, SessionRules } from "../domain/conversation.ts"
import type { InferenceEndpoint } from "../domain/endpoint.ts"
import type { JsonBody } from "../domain/json.ts"
import type { KnownAttempt } from "../domain/known-attempt.ts"
import type { RequestHead } from "../domain/request.ts"
import { type SeenRequest, seenRequest } from "../domain/request-condition.ts"

/** One parsed request on an inference route. */
export interface ClassifiedRequest extends RequestClass {
  readonly head: RequestHead
  readonly body: JsonBody
}

/** The same with its place in its conversation. */
export interface InferenceRequest extends ClassifiedRequest {
  /** Which try of its call it is, while attempts are counted. */
  readonly known: KnownAttempt | null
  /** How the server tells sessions, and what retries may take. */
  readonly rules: SessionRules
  /** Who asks. It is found out, and written in the trace, when somebody wants to know. */
  readonly conversation: () => Conversation
}

/** Endpoint from the route, kind from headers and body. */
export const classify = (endpoint: InferenceEndpoint, head: RequestHead, body: JsonBody): ClassifiedRequest => ({
  endpoint,
  kind: classifyKind(head.headers, body.value),
  head,
  body
})

/** The request as conditions see it. */
export const seen = ({ endpoint, kind, head, body, known, conversation }: InferenceRequest): SeenRequest =>
  seenRequest(
    { endpoint, kind, headers: head.headers, body: body.value },
    conversation,
    known === null ? null : known.attempt
  )
