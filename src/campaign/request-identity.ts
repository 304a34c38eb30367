import { canonicalJson } from "../domain/canonical-json.ts"
import { classifyKind, requestId } from "../domain/classification.ts"
import { parseJson } from "../domain/json.ts"
import type { ClientRequest } from "../sim/transport-call.ts"

/** Whether a model answers there, whichever spelling a client has. */
export const isModelPath = (target: string): boolean => callPath.test(target.split("?", 1)[0] ?? "")

const callPath = /^(?:\/v1)?\/(chat\/completions|responses|messages)$/

/**
 * What makes two requests the same call, as their client knows it: the API, the kind, the request id and the body. `null` for
 * what is never replayed, without an id, or no call at all; `undefined` of a body that is still on its way.
 *
 * **Source** inference-server.md, section 5
 *
 * @since 0.1.0
 * @category readers
 */
export const requestIdentity = ({ method, target, headers, body }: ClientRequest): string | null | undefined => {
  const path = callPath.exec(target.split("?", 1)[0] ?? "")?.[1]
  const id = requestId(headers)
  if (method !== "POST" || path === undefined || id === undefined) return null
  if (!(body instanceof Uint8Array)) return undefined
  const json = parseJson(body)
  if (!json.ok) return null
  return `${path} ${classifyKind(headers, json.body.value)} ${id} ${canonicalJson(json.body.text)}`
}
