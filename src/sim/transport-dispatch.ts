import { STATUS_CODES } from "node:http"
import type { Dispatcher } from "undici"
import type { Header } from "../domain/request.ts"
import type { ClientCall, ClientRequest } from "./transport-call.ts"
import type { MessageClient } from "./transport-client.ts"
import { transportErrors } from "./transport-errors.ts"
import { portOf } from "./transport-fetch-request.ts"
import type { ResponseHead } from "./transport-messages.ts"

type Options = Dispatcher.DispatchOptions
type Handler = Dispatcher.DispatchHandler

/** A handler of undici, old style or new, as one. */
interface Told {
  started(abort: (reason?: Error) => void, flow: Flow): void
  head(head: ResponseHead): void
  data(chunk: Buffer): void
  end(): void
  failed(error: Error): void
}

/** What a handler may do to what it is sent. */
interface Flow {
  pause(): void
  resume(): void
}

/**
 * Sends one request of undici over a client of the simulated network; `over` is called when it is done.
 *
 * **Fails** by the handler, as undici does
 */
export const dispatchOver = (
  client: MessageClient,
  { options, handler }: { readonly options: Options; readonly handler: Handler },
  over: () => void
): void => {
  const told = typeof handler.onRequestStart === "function" ? newStyle(handler) : oldStyle(handler)
  let call: ClientCall | null = null
  let isOver = false
  const end = (tell: () => void): void => {
    if (isOver) return
    isOver = true
    over()
    tell()
  }
  const abort = (reason?: Error): void =>
    end(() => {
      call?.abort()
      told.failed(reason ?? transportErrors.aborted())
    })
  /** What a handler throws ends its request, and no other. */
  const guarded = (tell: () => void): void => {
    if (isOver) return
    try {
      tell()
    } catch (error) {
      abort(error instanceof Error ? error : new Error(String(error)))
    }
  }

  guarded(() => told.started(abort, { pause: () => call?.pause(), resume: () => call?.resume() }))
  if (isOver) return
  call = client.send(requestOf(options), {
    head: (head) => guarded(() => told.head(head)),
    data: ({ buffer, byteOffset, byteLength }) => guarded(() => told.data(Buffer.from(buffer, byteOffset, byteLength))),
    end: () => end(told.end),
    failed: (error) => end(() => told.failed(error))
  })
}

const oldStyle = (handler: Handler): Told => {
  let flow: Flow = { pause: () => {}, resume: () => {} }
  const unlessFalse = (answer: unknown): void => {
    if (answer === false) flow.pause()
  }
  return {
    started(abort, given) {
      flow = given
      handler.onConnect?.(abort)
    },
    head: ({ status, headers }) =>
      unlessFalse(
        handler.onHeaders?.(status, headers.map(latin1), () => flow.resume(), STATUS_CODES[status] ?? "unknown")
      ),
    data: (chunk) => unlessFalse(handler.onData?.(chunk)),
    end: () => handler.onComplete?.([]),
    failed: (error) => handler.onError?.(error)
  }
}

const newStyle = (handler: Handler): Told => {
  let controller: Dispatcher.DispatchController | null = null
  const withIt = (tell: (own: Dispatcher.DispatchController) => void): void => {
    if (controller !== null) tell(controller)
  }
  return {
    started(abort, flow) {
      controller = controllerOf(abort, flow)
      handler.onRequestStart?.(controller, {})
    },
    head: ({ status, headers }) =>
      withIt((own) => {
        own.rawHeaders = headers.map(latin1)
        handler.onResponseStart?.(own, status, byName(headers), STATUS_CODES[status] ?? "unknown")
      }),
    data: (chunk) => withIt((own) => handler.onResponseData?.(own, chunk)),
    end: () => withIt((own) => handler.onResponseEnd?.(own, {})),
    failed: (error) => withIt((own) => handler.onResponseError?.(own, error))
  }
}

const controllerOf = (abort: (reason?: Error) => void, flow: Flow): Dispatcher.DispatchController => {
  let reason: Error | null = null
  let isPaused = false
  return {
    get aborted() {
      return reason !== null
    },
    get reason() {
      return reason
    },
    get paused() {
      return isPaused
    },
    rawHeaders: null,
    rawTrailers: null,
    abort(why) {
      if (reason !== null) return
      reason = why
      abort(why)
    },
    pause() {
      isPaused = true
      flow.pause()
    },
    resume() {
      isPaused = false
      flow.resume()
    }
  }
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1")

/** Lower-case names; a repeated header has a list of values. */
const byName = (flat: ReadonlyArray<string>): Record<string, string | Array<string>> => {
  const headers: Record<string, string | Array<string>> = {}
  for (const [name, value] of pairsOf(flat)) {
    const known = headers[name]
    headers[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value]
  }
  return headers
}

const pairsOf = (flat: ReadonlyArray<string>): Array<Header> => {
  const pairs: Array<Header> = []
  for (let at = 0; at + 1 < flat.length; at += 2) pairs.push([(flat[at] ?? "").toLowerCase(), flat[at + 1] ?? ""])
  return pairs
}

const requestOf = (options: Options): ClientRequest => {
  const { method, body, headersTimeout, bodyTimeout, reset } = options
  const origin = new URL(String(options.origin))
  const url = new URL(options.path, origin)
  for (const [name, value] of Object.entries(options.query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one))
  }
  const target = options.query === undefined ? options.path : `${url.pathname}${url.search}`
  const given = headersOf(options.headers)
  const sent = bodyOf(body)
  const has = (wanted: string): boolean => given.some(([name]) => name === wanted)
  const headers: Array<Header> = []
  if (!has("host")) headers.push(["host", origin.host])
  headers.push(["connection", reset === true ? "close" : "keep-alive"])
  headers.push(...given.filter(([name]) => name !== "connection"))
  if (!has("content-length")) headers.push(...framing(method, sent))
  return {
    host: origin.hostname,
    port: portOf(origin),
    isSecure: origin.protocol === "https:",
    method,
    target,
    headers,
    body: sent,
    ...(typeof headersTimeout === "number" ? { headersTimeoutMs: headersTimeout } : {}),
    ...(typeof bodyTimeout === "number" ? { bodyTimeoutMs: bodyTimeout } : {})
  }
}

const framing = (method: string, body: ClientRequest["body"]): ReadonlyArray<Header> => {
  if (body instanceof Uint8Array) return [["content-length", String(body.byteLength)]]
  if (body !== null) return [["transfer-encoding", "chunked"]]
  return ["POST", "PUT", "PATCH"].includes(method) ? [["content-length", "0"]] : []
}

const headersOf = (headers: Options["headers"]): Array<Header> => {
  if (headers === undefined || headers === null) return []
  if (Array.isArray(headers)) return pairsOf(headers.map(String))
  const entries = isIterable(headers) ? [...headers] : Object.entries(headers)
  return entries.flatMap(([name, value]) => {
    const values = Array.isArray(value) ? value : [value ?? ""]
    return values.map((one): Header => [name.toLowerCase(), String(one)])
  })
}

const isIterable = (value: object): value is Iterable<[string, string | Array<string> | undefined]> =>
  Symbol.iterator in value

/** `null` where nothing is sent; texts and bytes are sent whole, everything else as it comes. */
const bodyOf = (body: unknown): ClientRequest["body"] => {
  if (body === undefined || body === null) return null
  if (typeof body === "string") return Buffer.from(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice()
  if (body instanceof ArrayBuffer) return new Uint8Array(body.slice(0))
  if (typeof body === "object" && Symbol.asyncIterator in body) return bytesOf(body)
  throw new TypeError("the simulated dispatcher sends texts, bytes, streams and async iterables")
}

const bytesOf = async function* (body: object): AsyncGenerator<Uint8Array> {
  if (!isAsyncIterable(body)) return
  for await (const piece of body) {
    yield typeof piece === "string" ? Buffer.from(piece) : ArrayBuffer.isView(piece) ? viewOf(piece) : new Uint8Array()
  }
}

const isAsyncIterable = (body: object): body is AsyncIterable<unknown> => Symbol.asyncIterator in body

const viewOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
