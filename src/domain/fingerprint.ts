import { createHash } from "node:crypto"
import { canonicalJson } from "./canonical-json.ts"
import { type RequestClass, requestId } from "./classification.ts"
import type { Header } from "./request.ts"

/** 64 lower-case hex digits. */
export type Fingerprint = string

/**
 * What makes two requests the same call, as 64 lower-case hex digits.
 *
 * **Takes** endpoint, kind, headers (for the trimmed request id) and the text of a JSON body
 * **Gives** SHA-256 over the canonical JSON of those four, or `null` when the request id is empty
 * **Ignores** other headers, key order, white space, the value of the turn index, time
 * **Fails** never: bodies that are not JSON were refused before
 * **Source** inference-server.md, section 5
 *
 * @since 0.1.0
 * @category fingerprints
 */
export const fingerprint = (
  request: RequestClass,
  headers: ReadonlyArray<Header>,
  bodyText: string
): Fingerprint | null => (requestId(headers) === undefined ? null : callDigest(request, headers, bodyText))

/**
 * The same for every request: one without a request id has an empty one.
 *
 * @since 0.1.0
 * @category fingerprints
 */
export const callDigest = (request: RequestClass, headers: ReadonlyArray<Header>, bodyText: string): Fingerprint =>
  createHash("sha256")
    .update(`["${request.endpoint}","${request.kind}",${JSON.stringify(requestId(headers) ?? "")},`)
    .update(canonicalJson(bodyText))
    .update("]")
    .digest("hex")
