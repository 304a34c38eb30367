import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { Header, RequestHead } from "../domain/request.ts"
import type { Sink } from "../kernel/sink.ts"
import type {
  Exchange,
  HttpApp,
  HttpConnection,
  HttpPort,
  ListenAddress,
  Listening,
  ListenReport
} from "../ports/http-port.ts"
import { type ByteStore, makeByteStore } from "./byte-store.ts"
import { portOf } from "./listening-port.ts"
import { makePipeline, type Pipeline } from "./pipeline.ts"

/** A head that is not complete after this long ends its connection, so that slow senders hold nothing. */
const headMsMax = 30_000

/** Where connections come from, when not from this machine: a network whose sockets are not those of an operating system. */
export interface SocketSource {
  listen(
    address: ListenAddress,
    server: Pick<ListenReport, "bound" | "failed" | "refused"> & { accept(socket: Duplex): void }
  ): { unbind(): void }
}

/** What may be said about HTTP on this machine. */
export interface LiveHttpOptions {
  /** How long a request head may take, in milliseconds. */
  readonly headMs?: number
  /** Other sockets than those of this machine; there `headMs` is not watched. */
  readonly sockets?: SocketSource
}

/**
 * HTTP by `node:http`, on the sockets of this machine or on others.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeLiveHttp = (options: LiveHttpOptions = {}): HttpPort => ({
  listen: (address, app, report) =>
    listen({ address, app, report, headMs: options.headMs ?? headMsMax, sockets: options.sockets })
})

/** HTTP on this machine, with the default limits. */
export const liveHttp: HttpPort = makeLiveHttp()

/** A request with more headers is refused: each costs far more memory than its bytes on the wire. */
const headersMax = 1_000

/** What is known of one connection. */
interface Peer {
  readonly connection: HttpConnection
  readonly pipeline: Pipeline
}

const listen = (options: {
  readonly address: ListenAddress
  readonly app: HttpApp
  readonly report: ListenReport
  readonly headMs: number
  readonly sockets: SocketSource | undefined
}): Listening => {
  const { address, app, report, headMs, sockets } = options
  const peers = new Map<Socket, Peer>()
  let isClosing = false

  const server = createServer({
    keepAliveTimeout: 0,
    requestTimeout: 0,
    headersTimeout: headMs,
    connectionsCheckingInterval: headMs
  })
  // Node drops what is past the number; one more than is allowed shows that there were too many.
  server.maxHeadersCount = headersMax + 1
  server.on("connection", (socket) => {
    const connection = app.connected(() => socket.destroy())
    const pipeline = makePipeline((last) => {
      if (isClosing) last.once("close", () => socket.destroySoon())
    })
    peers.set(socket, { connection, pipeline })
    socket.once("close", () => {
      peers.delete(socket)
      connection.closed()
      if (peers.size === 0) report.lost()
    })
  })
  server.on("request", (request, response) => {
    const peer = peers.get(request.socket)
    if (peer === undefined) return
    if (peer.pipeline.isFull()) request.socket.destroy()
    else if (request.rawHeaders.length > 2 * headersMax) refuseHead(request, response)
    else serve(request, peer.pipeline.add(response), { response, peer })
  })
  server.on("connect", (request: IncomingMessage) => {
    const peer = peers.get(request.socket)
    if (peer === undefined || peer.pipeline.isFull()) request.socket.destroy()
    else refuseTunnel(request, peer)
  })
  const bound = sockets === undefined ? bindHere(server, address, report) : bindThere(server, sockets, options)

  return {
    unbind: bound.unbind,
    closeIdle() {
      isClosing = true
      for (const [socket, peer] of peers) if (peer.pipeline.isIdle()) socket.destroySoon()
    },
    connections: () => peers.size
  }
}

const bindHere = (server: Server, { host, port }: ListenAddress, report: ListenReport): { unbind(): void } => {
  let isUnbound = false
  // Before the port is bound this is a failed start; later (no descriptors left, say) only that connection is lost.
  server.on("error", (error) => {
    if (!server.listening) report.failed(error.message)
  })
  server.listen({ host, port }, () => {
    if (isUnbound) server.close()
    else report.bound({ host, port: portOf(server) })
  })
  return {
    unbind() {
      isUnbound = true
      if (server.listening) server.close()
    }
  }
}

/** A server that does not listen itself has none of the timers of `node:http`. */
const bindThere = (
  server: Server,
  sockets: SocketSource,
  { address, report }: { readonly address: ListenAddress; readonly report: ListenReport }
): { unbind(): void } =>
  sockets.listen(address, {
    bound: report.bound,
    failed: report.failed,
    refused: () => report.refused?.(),
    accept: (socket) => void server.emit("connection", socket)
  })

const refuseHead = (request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(431, { connection: "close", "content-length": 0 }).end()
  request.resume()
}

/** `node:http` has let go of the connection: no server here is a proxy, so an answer like any other is its last. */
const refuseTunnel = (request: IncomingMessage, peer: Peer): void => {
  const { socket } = request
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.once("finish", () => socket.destroySoon())
  for (const end of ["error", "end"]) socket.once(end, () => socket.destroy())
  socket.on("drain", () => response.emit("drain"))
  socket.resume()
  serve(
    request,
    peer.pipeline.add(response, () => response.assignSocket(socket)),
    { response, peer }
  )
}

/** A client that leaves is noticed once for the connection, not for each response on it. */
const serve = (
  request: IncomingMessage,
  sink: Sink,
  { response, peer }: { readonly response: ServerResponse; readonly peer: Peer }
): void => {
  const exchange: Exchange = peer.connection.open(headOf(request), sink)
  // In a turn of its own: a reader as quick as this server would keep it from everybody else.
  response.on("drain", () => setImmediate(exchange.written))
  if (exchange.bodyBytesMax !== null) readBody(request, exchange, exchange.bodyBytesMax)
  else request.resume()
}

const headOf = (request: IncomingMessage): RequestHead => {
  const headers: Array<Header> = []
  const raw = request.rawHeaders
  for (let at = 0; at + 1 < raw.length; at += 2) {
    headers.push([(raw[at] ?? "").toLowerCase(), decodeValue(raw[at + 1] ?? "")])
  }
  return { method: request.method ?? "", target: request.url ?? "/", headers }
}

/** Node gives header bytes as Latin-1; values are read as UTF-8, and what is not is replaced. */
const decodeValue = (value: string): string =>
  /[\x80-\xff]/.test(value) ? Buffer.from(value, "latin1").toString("utf8") : value

const readBody = (request: IncomingMessage, exchange: Exchange, bytesMax: number): void => {
  let body: ByteStore | null = makeByteStore()
  const refuse = (): void => {
    body = null
    exchange.tooLarge()
  }
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) refuse()
  // What is refused is read on and dropped, so that the client gets to the answer.
  request.on("data", (chunk: Buffer) => {
    if (body === null) return
    body.add(chunk)
    if (body.length() > bytesMax) refuse()
  })
  request.on("end", () => {
    if (body !== null) exchange.received(body.take())
  })
}
