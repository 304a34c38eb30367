import { copiedBytes } from "../domain/copied-bytes.ts"
import { InvalidOption } from "../domain/errors.ts"
import type { Header } from "../domain/request.ts"
import { drawBoundary } from "./form-boundary.ts"
import type { ClientRequest } from "./transport-call.ts"

/** What a call of `fetch` asks for, as far as the network sees it. */
export interface FetchRequest {
  readonly url: URL
  readonly method: string
  /** Those of the caller; the ones that every request has are added when it is sent. */
  readonly headers: Headers
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null
  readonly signal: AbortSignal | null
  readonly redirect: "follow" | "error" | "manual"
}

/** What `fetch` of this Node takes. */
export type FetchInput = Parameters<typeof fetch>[0]
export type FetchInit = NonNullable<Parameters<typeof fetch>[1]>

const utf8 = new TextEncoder()

const normalized = /^(?:delete|get|head|options|post|put)$/i

/**
 * Reads the arguments of `fetch`. The usual ones, a text or bytes to a URL, are read here; all others, and those that are
 * wrong, by the `Request` of Node, so that they mean and say what they always do.
 *
 * **Fails** with the `TypeError` of `fetch`
 */
export const readFetch = async (input: FetchInput, init: FetchInit = {}): Promise<FetchRequest> =>
  quickly(input, init) ?? (await thoroughly(input, init))

const quickly = (input: FetchInput, init: FetchInit): FetchRequest | null => {
  const href = typeof input === "string" ? input : input instanceof URL ? input.href : null
  const { body = null, method = "GET", signal = null, redirect = "follow" } = init
  const isPlain = body === null || typeof body === "string" || body instanceof Uint8Array
  const url = href === null || !URL.canParse(href) ? null : new URL(href)
  if (url === null || !isPlain || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    return null
  if (!normalized.test(method)) return null
  if (signal !== null && !(signal instanceof AbortSignal)) return null
  const verb = method.toUpperCase()
  if (body !== null && (verb === "GET" || verb === "HEAD")) return null
  const headers = new Headers(init.headers)
  if (typeof body === "string" && !headers.has("content-type")) headers.set("content-type", "text/plain;charset=UTF-8")
  const bytes = typeof body === "string" ? utf8.encode(body) : body === null ? null : copiedBytes(body)
  return { url, method: verb, headers, body: bytes, signal, redirect: redirectOf(redirect) }
}

const thoroughly = async (input: FetchInput, init: FetchInit): Promise<FetchRequest> => {
  const request = new Request(input, init)
  const isStream = init.body instanceof ReadableStream
  const bytes = request.body === null || isStream ? null : new Uint8Array(await request.arrayBuffer())
  const headers = new Headers(request.headers)
  if (bytes !== null) drawBoundary(headers, bytes)
  return {
    url: new URL(request.url),
    method: request.method,
    headers,
    body: isStream ? request.body : bytes,
    signal: request.signal,
    redirect: redirectOf(request.redirect)
  }
}

const redirectOf = (redirect: string): FetchRequest["redirect"] => {
  if (redirect === "follow" || redirect === "error" || redirect === "manual") return redirect
  throw new InvalidOption(`redirect is "${redirect}"; give "follow", "error" or "manual"`)
}

/** The first header that undici refuses to send for somebody else; `null` when there is none. */
export const refusedHeader = (headers: Headers): string | null =>
  [...headers.keys()].find((name) => refusedNames.has(name)) ?? null

const refusedNames: ReadonlySet<string> = new Set(["expect", "keep-alive", "transfer-encoding", "upgrade"])

const always: ReadonlyArray<Header> = [
  ["accept", "*/*"],
  ["accept-language", "*"],
  ["sec-fetch-mode", "cors"],
  ["user-agent", "node"]
]

/** The port that a URL means. */
export const portOf = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port)

/** The request that goes out, with the headers that `fetch` of Node adds. */
export const clientRequest = ({ url, method, headers, body }: FetchRequest): ClientRequest => {
  const list: Array<Header> = [
    ["host", url.host],
    ...(headers.has("connection") ? [] : [["connection", "keep-alive"] as const]),
    ...[...headers].map(([name, value]): Header => [name, value])
  ]
  for (const [name, value] of always) if (!headers.has(name)) list.push([name, value])
  if (!headers.has("accept-encoding")) {
    list.push(["accept-encoding", url.protocol === "https:" ? "br, gzip, deflate" : "gzip, deflate"])
  }
  if (body instanceof Uint8Array) list.push(["content-length", String(body.byteLength)])
  else if (body !== null) list.push(["transfer-encoding", "chunked"])
  else if (method === "POST" || method === "PUT") list.push(["content-length", "0"])
  const target = `${url.pathname}${url.search}`
  const isSecure = url.protocol === "https:"
  return { host: url.hostname, port: portOf(url), isSecure, method, target, headers: list, body }
}
