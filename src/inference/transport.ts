import type { WireProfile } from "../domain/endpoint.ts"
import { type JsonBody, parseJson } from "../domain/json.ts"
import { firstHeader, type RequestHead } from "../domain/request.ts"
import type { ScriptedResponse } from "../domain/scripted-response.ts"
import type { Answer, BodyRead, Route } from "../serving/http-app.ts"
import { refusals } from "./refusals.ts"
import { type FoundRoute, findRoute, type RouteRow, splitTarget } from "./routes.ts"

/** More than this of a body is refused, unless told otherwise: 256 MiB. */
export const requestBytesMax = 268_435_456

/** A request that passed the transport checks. */
export interface PassedRequest {
  readonly head: RequestHead
  readonly row: RouteRow
  readonly path: string
  readonly query: string
  /** The percent-decoded segment of the client's choice, `""` where the route has none. */
  readonly id: string
  /** The parsed body of a JSON route. */
  readonly json: JsonBody | null
  readonly bytes: Uint8Array
}

/** What the transport checks are made with. */
export interface TransportOptions {
  readonly profile: WireProfile
  readonly bytesMax: number
  /** The answer to a request that fails a check. */
  readonly refuse: (head: RequestHead, response: ScriptedResponse) => Answer
  readonly handle: (request: PassedRequest) => Answer
}

/**
 * The checks before any handler, in their order: route, method, content type, size, JSON. What fails one is neither
 * logged nor counted.
 *
 * **Source** inference-server.md, section 1.1
 *
 * @since 0.1.0
 * @category routing
 */
export const passTransport = (head: RequestHead, options: TransportOptions): Route => {
  const { path, query } = splitTarget(head.target)
  const found = findRoute(path, options.profile)
  const stumbled = (error: unknown): Answer => options.refuse(head, refusals.stumbled(error))
  const early = refuseHead(head, { path, found, profile: options.profile })
  if (early !== null || found === undefined) {
    const response = early ?? refusals.unknownPath(head, path, options.profile)
    return { bodyBytesMax: null, decide: () => options.refuse(head, response), stumbled }
  }
  return {
    bodyBytesMax: found.row.reads === "nothing" ? null : options.bytesMax,
    decide: (body) => decideRead(body, { head, found, path, query }, options),
    stumbled
  }
}

const refuseHead = (
  head: RequestHead,
  {
    path,
    found,
    profile
  }: { readonly path: string; readonly found: FoundRoute | undefined; readonly profile: WireProfile }
): ScriptedResponse | null => {
  if (found === undefined) return refusals.unknownPath(head, path, profile)
  if (found.row.name === "Responses" && wantsWebSocket(head)) return refusals.upgrade()
  if (!found.row.methods.includes(head.method)) return refusals.wrongMethod(found.row.methods)
  if (found.id === null) return refusals.badSegment()
  return found.row.reads === "json" && !isJsonType(head) ? refusals.notJson() : null
}

/** Other upgrades are offers that a server may ignore. */
const wantsWebSocket = (head: RequestHead): boolean =>
  firstHeader(head.headers, "upgrade")?.toLowerCase().includes("websocket") ?? false

const jsonType = /^application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i

const isJsonType = (head: RequestHead): boolean =>
  jsonType.test(firstHeader(head.headers, "content-type")?.trim() ?? "")

const decideRead = (
  body: BodyRead,
  request: { readonly head: RequestHead; readonly found: FoundRoute; readonly path: string; readonly query: string },
  { bytesMax, refuse, handle }: TransportOptions
): Answer => {
  const { head, found, path, query } = request
  if (body.kind === "tooLarge") return refuse(head, refusals.tooLarge(bytesMax))
  const bytes = body.kind === "bytes" ? body.bytes : new Uint8Array()
  const parsed = found.row.reads === "json" ? parseJson(bytes) : null
  if (parsed !== null && !parsed.ok) return refuse(head, refusals.badJson(parsed.reason))
  return handle({ head, row: found.row, path, query, id: found.id ?? "", json: parsed?.body ?? null, bytes })
}
