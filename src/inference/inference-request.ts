import { classifyKind, type RequestClass } from "../domain/classification.ts"
import { type ConversationRules, identify } from "../domain/conversation.ts"
import type { InferenceEndpoint } from "../domain/endpoint.ts"
import type { JsonBody } from "../domain/json.ts"
import type { KnownAttempt } from "../domain/known-attempt.ts"
import type { RequestHead } from "../domain/request.ts"
import { type SeenRequest, seenRequest } from "../domain/request-condition.ts"

/** One parsed request on an inference route. */
export interface InferenceRequest extends RequestClass {
  /** Its place in its conversation, while attempts are counted. */
  readonly known: KnownAttempt | null
  /** How the server tells sessions. */
  readonly rules: ConversationRules
  readonly head: RequestHead
  readonly body: JsonBody
}

/** Endpoint from the route, kind from headers and body. */
export const classify = (
  endpoint: InferenceEndpoint,
  head: RequestHead,
  body: JsonBody,
  rules: ConversationRules = {}
): InferenceRequest => ({
  endpoint,
  kind: classifyKind(head.headers, body.value),
  head,
  body,
  known: null,
  rules
})

/** The request as conditions see it. */
export const seen = ({ endpoint, kind, head, body, rules }: InferenceRequest): SeenRequest =>
  seenRequest({ endpoint, kind, headers: head.headers, body: body.value }, () =>
    identify({ endpoint, kind, headers: head.headers, body }, rules)
  )
