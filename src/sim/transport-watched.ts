import { AsyncLocalStorage } from "node:async_hooks"
import type { Header } from "../domain/request.ts"
import type { ConnectionWatch, RequestEnd, RequestWatch } from "./client-watch.ts"
import type { Dial } from "./link-network.ts"
import { type BodyReader, makeBodyReader } from "./transport-body.ts"
import type { ClientRequest } from "./transport-call.ts"
import { type MessageHead, makeHeadReader } from "./transport-head.ts"
import { headerIn, type ResponseHead } from "./transport-messages.ts"

/** What happens at the client's end of a connection of bytes, told just before it happens. */
export interface SocketWatch {
  wrote(bytes: Uint8Array): void
  arrived(bytes: Uint8Array): void
  /** The server sends no more. */
  ended(): void
  reset(): void
  /** The client closes it. */
  closed(error: Error | null): void
}

/** A connection of which the requests are seen. */
export interface WatchedConnection extends SocketWatch {
  /** The client has this socket for it. */
  connected(socket: object): void
  /** The request that it carried last; `null` before the first. */
  newest(): RequestWatch | null
}

/** A request that is under way. */
interface Exchange {
  readonly tell: (request: ClientRequest) => RequestWatch
  readonly request: ClientRequest
  readonly upload: Upload
  watch: RequestWatch | null
  /** Of its answer. */
  head: ResponseHead | null
  body: FramedBody | null
}

/**
 * Reads requests and answers off a connection of HTTP/1.1, at the end of its client, and changes nothing. What is no HTTP, and
 * requests that are sent before the answer to the one before, are not told of.
 *
 * @since 0.1.0
 * @category constructors
 */
export const watchConnection = (dial: Dial, watch: ConnectionWatch): WatchedConnection => {
  const requests = makeHeadReader()
  let answers = makeHeadReader()
  let socket: object = dial
  let tell: Exchange["tell"] | null = null
  let current: Exchange | null = null
  let newest: RequestWatch | null = null
  let isReadable = true

  const told = (exchange: Exchange): RequestWatch => {
    if (exchange.watch === null) {
      exchange.watch = exchange.tell(exchange.request)
      newest = exchange.watch
    }
    return exchange.watch
  }

  const finish = (how: RequestEnd): void => {
    const exchange = current
    if (exchange === null) return
    current = null
    answers = makeHeadReader()
    // What is still sent of it is no other request.
    if (!exchange.upload.isWhole()) isReadable = false
    told(exchange).ended(how)
  }

  const begin = (head: MessageHead): void => {
    const [, method, target] = requestLine.exec(head.line) ?? []
    if (tell === null || method === undefined || target === undefined) {
      isReadable = false
      return
    }
    const headers = lowered(head.headers)
    const upload = readUpload(head)
    const request: ClientRequest = {
      host: dial.host,
      port: dial.port,
      method,
      target,
      headers,
      get body() {
        return upload.body()
      }
    }
    const exchange: Exchange = { tell, request, upload, watch: null, head: null, body: null }
    tell = null
    current = exchange
    // Head and body are written one after the other; one that is sent bit by bit is told of by its head.
    if (upload.isWhole()) told(exchange)
    else queueMicrotask(() => void told(exchange))
  }

  const answered = (exchange: Exchange, message: MessageHead): void => {
    const status = Number(statusLine.exec(message.line)?.[1] ?? Number.NaN)
    if (Number.isNaN(status)) {
      isReadable = false
      return
    }
    // An answer before the answer.
    if (status >= 100 && status < 200 && status !== 101) {
      if (message.rest.byteLength > 0) read(exchange, message.rest)
      return
    }
    const head: ResponseHead = { status, headers: message.headers }
    exchange.head = head
    told(exchange).answered(head)
    if (status === 101) {
      isReadable = false
      finish("end")
      return
    }
    exchange.body = readBody(exchange.request.method, head, {
      data: (bytes) => told(exchange).data(bytes),
      over: finish
    })
    exchange.body.begin()
    if (message.rest.byteLength > 0) exchange.body.push(message.rest)
  }

  const read = (exchange: Exchange, bytes: Uint8Array): void => {
    if (exchange.body !== null) {
      exchange.body.push(bytes)
      return
    }
    const message = answers.read(bytes)
    if (message === "bad") isReadable = false
    else if (message !== null) answered(exchange, message)
  }

  return {
    connected(own) {
      socket = own
    },
    newest: () => newest,
    wrote(bytes) {
      if (!isReadable) return
      if (current !== null && !current.upload.isWhole()) {
        current.upload.push(bytes)
        if (current.upload.isWhole()) told(current)
        return
      }
      if (current !== null) {
        finish("left")
        isReadable = false
        return
      }
      tell ??= watch.begun(socket)
      const head = requests.read(bytes)
      if (head === "bad") isReadable = false
      else if (head !== null) begin(head)
    },
    arrived(bytes) {
      if (isReadable && current !== null) read(current, bytes)
    },
    ended() {
      current?.body?.end()
      finish("cut")
    },
    reset: () => finish("cut"),
    closed: (error) => finish(isReadable && !isFailure(error) ? "left" : "cut")
  }
}

const requestLine = /^([A-Z]+) (\S+) HTTP\/1\.[01]$/
const statusLine = /^HTTP\/1\.[01] (\d{3})(?: |$)/

const lowered = (flat: ReadonlyArray<string>): ReadonlyArray<Header> =>
  flat.flatMap((name, at): ReadonlyArray<Header> => (at % 2 === 0 ? [[name.toLowerCase(), flat[at + 1] ?? ""]] : []))

const isChunked = (headers: ReadonlyArray<string>): boolean =>
  /\bchunked\s*$/i.test(headerIn(headers, "transfer-encoding") ?? "")

/** A client closes with these when its connection or what came on it was no good; by others it gives up. */
const failureCode = /^(?:UND_ERR_(?:\w*TIMEOUT|SOCKET|DESTROYED|RES\w*)|HPE_\w+|E[A-Z]+)$/

const isFailure = (error: Error | null): boolean =>
  error !== null && "code" in error && typeof error.code === "string" && failureCode.test(error.code)

/** The body of an answer, found in its bytes. */
interface FramedBody {
  begin(): void
  push(bytes: Uint8Array): void
  /** No more comes: that ends a body whose head says nothing of its end. */
  end(): void
}

const readBody = (
  method: string,
  head: ResponseHead,
  out: { data(bytes: Uint8Array): void; over(how: RequestEnd): void }
): FramedBody => {
  const chunked = isChunked(head.headers)
  const reader: BodyReader = makeBodyReader(method, head, {
    data: out.data,
    whole: () => out.over("end"),
    failed: () => out.over("cut")
  })
  return {
    begin: reader.begin,
    push: chunked ? reader.raw : reader.bytes,
    end() {
      if (!chunked) reader.end()
    }
  }
}

/** The body of a request, while it is sent. */
interface Upload {
  push(bytes: Uint8Array): void
  isWhole(): boolean
  /** What is too long is known by nothing, as if it were on its way for ever. */
  body(): ClientRequest["body"]
}

/** Longer bodies are not kept. */
const keptBytesMax = 1024 * 1024

const readUpload = (head: MessageHead): Upload => {
  const pieces: Array<Uint8Array> = []
  const hasBody = isChunked(head.headers) || headerIn(head.headers, "content-length") !== undefined
  let length = 0
  let isWhole = !hasBody
  const body = readBody(
    "POST",
    { status: 200, headers: head.headers },
    {
      data(bytes) {
        length += bytes.byteLength
        if (length <= keptBytesMax) pieces.push(bytes)
        else pieces.length = 0
      },
      over() {
        isWhole = true
      }
    }
  )
  if (hasBody) body.begin()
  if (hasBody && head.rest.byteLength > 0) body.push(head.rest)
  return {
    push: body.push,
    isWhole: () => isWhole,
    body() {
      if (!hasBody) return null
      return isWhole && length <= keptBytesMax ? Buffer.concat(pieces) : onItsWay
    }
  }
}

const onItsWay: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) })
}

/** A connection as its server has it. */
export interface ServedConnection {
  /** Once its client has it too. */
  watched: WatchedConnection | null
}

const served = new AsyncLocalStorage<ServedConnection>()

/** Accepts a connection: all that its server does because of what comes on it, it does in the sight of whoever watches it. */
export const servedOn = (connection: ServedConnection, accept: () => void): void => served.run(connection, accept)

/** The request for which the server that asks is at work, where that came over bytes. */
export const servedRequest = (): RequestWatch | null => served.getStore()?.watched?.newest() ?? null
