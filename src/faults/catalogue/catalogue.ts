import type { FaultName } from "../../domain/fault-names.ts"
import type { Behavior } from "./behavior.ts"
import { authError } from "./behaviors/auth-error.ts"
import { badChunkFraming } from "./behaviors/bad-chunk-framing.ts"
import { badGateway } from "./behaviors/bad-gateway.ts"
import { bomStream } from "./behaviors/bom-stream.ts"
import { commentStall } from "./behaviors/comment-stall.ts"
import { conflict } from "./behaviors/conflict.ts"
import { connectionReset } from "./behaviors/connection-reset.ts"
import { contentFilter } from "./behaviors/content-filter.ts"
import { contextOverflow } from "./behaviors/context-overflow.ts"
import { crlfStream } from "./behaviors/crlf-stream.ts"
import { cutAtByte } from "./behaviors/cut-at-byte.ts"
import { cutAtEvent } from "./behaviors/cut-at-event.ts"
import { cutBeforeBlankLine } from "./behaviors/cut-before-blank-line.ts"
import { cutBeforeDone } from "./behaviors/cut-before-done.ts"
import { cutInCharacter } from "./behaviors/cut-in-character.ts"
import { dataAfterDone } from "./behaviors/data-after-done.ts"
import { drip } from "./behaviors/drip.ts"
import { duplicateDone } from "./behaviors/duplicate-done.ts"
import { empty } from "./behaviors/empty.ts"
import { emptyBody } from "./behaviors/empty-body.ts"
import { errorEvent } from "./behaviors/error-event.ts"
import { forbidden } from "./behaviors/forbidden.ts"
import { garbage } from "./behaviors/garbage.ts"
import { gatewayTimeout } from "./behaviors/gateway-timeout.ts"
import { halfClose } from "./behaviors/half-close.ts"
import { holdOpen } from "./behaviors/hold-open.ts"
import { htmlPage } from "./behaviors/html-page.ts"
import { invalidRequest } from "./behaviors/invalid-request.ts"
import { jsonErrorOk } from "./behaviors/json-error-ok.ts"
import { lengthMismatch } from "./behaviors/length-mismatch.ts"
import { malformedEvent } from "./behaviors/malformed-event.ts"
import { malformedJson } from "./behaviors/malformed-json.ts"
import { maxTokens } from "./behaviors/max-tokens.ts"
import { missingFinish } from "./behaviors/missing-finish.ts"
import { noResponse } from "./behaviors/no-response.ts"
import { notFound } from "./behaviors/not-found.ts"
import { overloaded } from "./behaviors/overloaded.ts"
import { parallelToolCalls } from "./behaviors/parallel-tool-calls.ts"
import { partialDisconnect } from "./behaviors/partial-disconnect.ts"
import { partialEof } from "./behaviors/partial-eof.ts"
import { partialStall } from "./behaviors/partial-stall.ts"
import { quotaExceeded } from "./behaviors/quota-exceeded.ts"
import { rateLimit } from "./behaviors/rate-limit.ts"
import { rateLimitBare } from "./behaviors/rate-limit-bare.ts"
import { reasoningOnly } from "./behaviors/reasoning-only.ts"
import { reasoningSuccess } from "./behaviors/reasoning-success.ts"
import { redirect } from "./behaviors/redirect.ts"
import { reorderedEvents } from "./behaviors/reordered-events.ts"
import { repeatedEvent } from "./behaviors/repeated-event.ts"
import { requestTimeout } from "./behaviors/request-timeout.ts"
import { retryAfterDate } from "./behaviors/retry-after-date.ts"
import { retryAfterHuge } from "./behaviors/retry-after-huge.ts"
import { retryAfterInvalid } from "./behaviors/retry-after-invalid.ts"
import { retryAfterMs } from "./behaviors/retry-after-ms.ts"
import { retryForbidden } from "./behaviors/retry-forbidden.ts"
import { retryForced } from "./behaviors/retry-forced.ts"
import { serverError } from "./behaviors/server-error.ts"
import { serviceUnavailable } from "./behaviors/service-unavailable.ts"
import { slowHead } from "./behaviors/slow-head.ts"
import { slowSuccess } from "./behaviors/slow-success.ts"
import { splitCharacters } from "./behaviors/split-characters.ts"
import { splitCrlf } from "./behaviors/split-crlf.ts"
import { splitFrames } from "./behaviors/split-frames.ts"
import { stall } from "./behaviors/stall.ts"
import { streamDisconnect } from "./behaviors/stream-disconnect.ts"
import { streamEof } from "./behaviors/stream-eof.ts"
import { success } from "./behaviors/success.ts"
import { tooLarge } from "./behaviors/too-large.ts"
import { toolCallInvalid } from "./behaviors/tool-call-invalid.ts"
import { toolCallSuccess } from "./behaviors/tool-call-success.ts"
import { toolCallTruncated } from "./behaviors/tool-call-truncated.ts"
import { truncatedEvent } from "./behaviors/truncated-event.ts"
import { unknownEvent } from "./behaviors/unknown-event.ts"
import { usageMissing } from "./behaviors/usage-missing.ts"
import { usageOverflow } from "./behaviors/usage-overflow.ts"
import { vanish } from "./behaviors/vanish.ts"
import { wrongContentType } from "./behaviors/wrong-content-type.ts"

/**
 * Every behaviour, in the order of the catalogue.
 *
 * **Source** fault-server.md, sections 1 and 9.9
 *
 * @since 0.1.0
 * @category faults
 */
export const catalogue: ReadonlyArray<Behavior> = [
  connectionReset,
  streamDisconnect,
  empty,
  emptyBody,
  streamEof,
  partialEof,
  partialDisconnect,
  stall,
  malformedJson,
  malformedEvent,
  wrongContentType,
  rateLimit,
  serverError,
  serviceUnavailable,
  authError,
  invalidRequest,
  contextOverflow,
  quotaExceeded,
  success,
  reasoningSuccess,
  toolCallSuccess,
  maxTokens,
  slowSuccess,
  noResponse,
  slowHead,
  partialStall,
  commentStall,
  errorEvent,
  overloaded,
  badGateway,
  gatewayTimeout,
  requestTimeout,
  conflict,
  forbidden,
  notFound,
  tooLarge,
  retryAfterDate,
  retryAfterMs,
  retryAfterHuge,
  retryAfterInvalid,
  rateLimitBare,
  contentFilter,
  missingFinish,
  reasoningOnly,
  toolCallTruncated,
  toolCallInvalid,
  parallelToolCalls,
  usageMissing,
  usageOverflow,
  truncatedEvent,
  splitFrames,
  splitCharacters,
  splitCrlf,
  crlfStream,
  bomStream,
  dataAfterDone,
  duplicateDone,
  repeatedEvent,
  reorderedEvents,
  unknownEvent,
  garbage,
  htmlPage,
  jsonErrorOk,
  badChunkFraming,
  lengthMismatch,
  drip,
  holdOpen,
  halfClose,
  vanish,
  cutAtEvent,
  cutAtByte,
  cutInCharacter,
  cutBeforeBlankLine,
  cutBeforeDone,
  retryForced,
  retryForbidden,
  redirect
]

const byName: ReadonlyMap<FaultName, Behavior> = new Map(catalogue.map((behavior) => [behavior.name, behavior]))

/**
 * The behaviour of a name.
 *
 * **Fails** never for a name of the catalogue, which a test holds complete
 *
 * @since 0.1.0
 * @category faults
 */
export const behaviorOf = (name: FaultName): Behavior => {
  const behavior = byName.get(name)
  if (behavior === undefined) throw new Error(`the catalogue has no behaviour ${name}`)
  return behavior
}
