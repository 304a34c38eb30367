import { STATUS_CODES } from "node:http"
import { hasNoBody } from "../domain/status.ts"
import type { ClientCall } from "./transport-call.ts"
import type { MessageClient } from "./transport-client.ts"
import { transportErrors } from "./transport-errors.ts"
import {
  clientRequest,
  type FetchInit,
  type FetchInput,
  type FetchRequest,
  readFetch,
  refusedHeader
} from "./transport-fetch-request.ts"
import { headerIn, type ResponseHead } from "./transport-messages.ts"

/** Redirects that `fetch` follows. */
const redirectsMax = 20

/** So many bytes of a body wait for their reader before the connection is left unread. */
const unreadBytesMax = 64 * 1024

/**
 * A `fetch` for clients of a simulated network. It behaves as the one of Node does: the same classes, the same errors.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeSimFetch =
  (client: MessageClient): typeof fetch =>
  async (input: FetchInput, init?: FetchInit) => {
    // What such a URL stands for is in it, or in this process.
    if (/^(?:data|blob):/i.test(hrefOf(input))) return fetch(input, init)
    const request = await readFetch(input, init)
    request.signal?.throwIfAborted()
    const refused = refusedHeader(request.headers)
    if (refused !== null) throw failed(transportErrors.badHeader(refused))
    return follow(client, request)
  }

const hrefOf = (input: FetchInput): string => (input instanceof Request ? input.url : String(input))

const follow = async (client: MessageClient, first: FetchRequest): Promise<Response> => {
  let request = first
  for (let redirects = 0; ; redirects++) {
    const { response, location, status } = await exchange(client, request, {
      isRedirected: redirects > 0,
      isAgain: false
    })
    if (location === null || request.redirect === "manual") return response
    const next = request.redirect === "error" ? null : redirected(request, { status, location })
    await response.body?.cancel().catch(() => {})
    if (request.redirect === "error") throw failed(new Error("unexpected redirect"))
    if (redirects >= redirectsMax) throw failed(new Error("redirect count exceeded"))
    if (next === null) throw failed(new Error("URL scheme must be a HTTP(S) scheme"))
    request = next
  }
}

const failed = (cause: Error): TypeError => new TypeError("fetch failed", { cause })

const redirected = (
  request: FetchRequest,
  { status, location }: { readonly status: number; readonly location: string }
): FetchRequest | null => {
  if (!URL.canParse(location, request.url.href)) return null
  const url = new URL(location, request.url)
  if (!/^https?:$/.test(url.protocol)) return null
  const headers = new Headers(request.headers)
  const isGet =
    status === 303
      ? request.method !== "GET" && request.method !== "HEAD"
      : (status === 301 || status === 302) && request.method === "POST"
  if (isGet) {
    for (const name of [...headers.keys()]) if (name.startsWith("content-")) headers.delete(name)
  }
  if (url.origin !== request.url.origin) {
    for (const name of ["authorization", "proxy-authorization", "cookie", "host"]) headers.delete(name)
  }
  return { ...request, url, headers, ...(isGet ? { method: "GET", body: null } : {}) }
}

interface Exchanged {
  readonly response: Response
  readonly status: number
  readonly location: string | null
}

/** One request and its answer. */
const exchange = (
  client: MessageClient,
  request: FetchRequest,
  { isRedirected, isAgain }: { readonly isRedirected: boolean; readonly isAgain: boolean }
): Promise<Exchanged> =>
  new Promise((resolve, reject) => {
    const { signal, method } = request
    let call: ClientCall | null = null
    let body: ResponseBody | null = null
    const settled = (): void => signal?.removeEventListener("abort", abort)
    const abort = (): void => {
      settled()
      call?.abort()
      if (body === null) reject(signal?.reason)
      else body.fail(signal?.reason)
    }
    signal?.addEventListener("abort", abort)
    call = client.send(clientRequest(request), {
      head(head) {
        if (head.status === misdirected && !isAgain && isKept(request.body)) {
          cancel()
          resolve(exchange(client, request, { isRedirected, isAgain: true }))
          return
        }
        if (method !== "HEAD" && !hasNoBody(head.status)) {
          body = makeBody({ pause: () => call?.pause(), resume: () => call?.resume(), cancel: () => cancel() })
        }
        const response = responseOf(head, { body: body?.stream ?? null, url: request.url.href, isRedirected })
        const isRedirect = [301, 302, 303, 307, 308].includes(head.status)
        const location = isRedirect ? (headerIn(head.headers, "location") ?? null) : null
        resolve({ response, status: head.status, location })
      },
      data: (bytes) => body?.add(bytes),
      end() {
        settled()
        body?.end()
      },
      failed(error) {
        settled()
        if (body === null) reject(failed(error))
        else body.fail(new TypeError("terminated", { cause: error }))
      }
    })
    const cancel = (): void => {
      settled()
      call?.abort()
    }
  })

/** The connection leads to the wrong server: `fetch` asks once more on another one, as the standard wants it. */
const misdirected = 421

/** A stream was sent and is gone. */
const isKept = (body: FetchRequest["body"]): boolean => body === null || body instanceof Uint8Array

interface ResponseBody {
  readonly stream: ReadableStream<Uint8Array>
  add(bytes: Uint8Array): void
  end(): void
  fail(reason: unknown): void
}

/** The body of an answer as a stream of bytes. */
const makeBody = (on: { pause(): void; resume(): void; cancel(): void }): ResponseBody => {
  let controller: ReadableByteStreamController | null = null
  let isOver = false
  let isPaused = false
  let unread = 0
  const stream = new ReadableStream({
    type: "bytes",
    start(own) {
      controller = own
    },
    pull() {
      unread = 0
      if (!isPaused) return
      isPaused = false
      on.resume()
    },
    cancel() {
      isOver = true
      on.cancel()
    }
  })
  return {
    stream,
    add(bytes) {
      if (isOver) return
      unread += bytes.byteLength
      controller?.enqueue(bytes)
      if (isPaused || unread < unreadBytesMax) return
      isPaused = true
      on.pause()
    },
    end() {
      if (isOver) return
      isOver = true
      controller?.close()
      // A reader that brought its own buffer waits for this.
      controller?.byobRequest?.respond(0)
    },
    fail(reason) {
      if (isOver) return
      isOver = true
      controller?.error(reason)
    }
  }
}

const responseOf = (
  { status, headers }: ResponseHead,
  options: { readonly body: ReadableStream<Uint8Array> | null; readonly url: string; readonly isRedirected: boolean }
): Response => {
  const list: Array<[string, string]> = []
  for (let at = 0; at + 1 < headers.length; at += 2) list.push([headers[at] ?? "", headers[at + 1] ?? ""])
  const response = new Response(options.body, { status, statusText: STATUS_CODES[status] ?? "unknown", headers: list })
  return cameFrom(response, options)
}

/** A response that was made by hand has no address of its own. */
const cameFrom = (response: Response, from: { readonly url: string; readonly isRedirected: boolean }): Response =>
  Object.defineProperties(response, {
    url: { value: from.url },
    type: { value: "basic" },
    redirected: { value: from.isRedirected },
    clone: { value: () => cameFrom(Response.prototype.clone.call(response), from) }
  })
