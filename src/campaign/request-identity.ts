import { canonicalJson } from "../domain/canonical-json.ts"
import { classifyKind, requestId } from "../domain/classification.ts"
import { parseJson } from "../domain/json.ts"
import type { ClientRequest } from "../sim/transport-call.ts"

/** Paths under which calls are made, whichever spelling a client has. */
const callPath = /^(?:\/v1)?\/(chat\/completions|responses|messages)$/

/**
 * What makes two requests the same call, as their client knows it: the API, the kind, the request id and the body. `null` for
 * what is never replayed: without an id, or no call at all.
 *
 * **Source** inference-server.md, section 5
 *
 * @since 0.1.0
 * @category readers
 */
export const requestIdentity = ({ method, target, headers, body }: ClientRequest): string | null => {
  const path = callPath.exec(target.split("?", 1)[0] ?? "")?.[1]
  const id = requestId(headers)
  if (method !== "POST" || path === undefined || id === undefined || !(body instanceof Uint8Array)) return null
  const json = parseJson(body)
  if (!json.ok) return null
  return `${path} ${classifyKind(headers, json.body.value)} ${id} ${canonicalJson(json.body.text)}`
}
