import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Header, RequestHead } from "../domain/request.ts"
import type {
  Exchange,
  HttpApp,
  HttpConnection,
  HttpPort,
  ListenAddress,
  Listening,
  ListenReport
} from "../ports/http-port.ts"
import { httpSink } from "./http-sink.ts"

/** A head that is not complete after this long ends its connection, so that slow senders hold nothing. */
const headMsMax = 30_000

/** HTTP on this machine. */
export const liveHttp: HttpPort = {
  listen: (address, app, report) => listen(address, app, report)
}

/** What is known of one connection. */
interface Peer {
  readonly connection: HttpConnection
  /** Requests whose answers are not out yet. */
  open: number
}

const listen = (address: ListenAddress, app: HttpApp, report: ListenReport): Listening => {
  const peers = new Map<Socket, Peer>()
  let isClosing = false

  const server = createServer({
    keepAliveTimeout: 0,
    requestTimeout: 0,
    headersTimeout: headMsMax,
    connectionsCheckingInterval: headMsMax
  })
  server.on("connection", (socket) => {
    const connection = app.connected(() => socket.destroy())
    peers.set(socket, { connection, open: 0 })
    socket.once("close", () => {
      peers.delete(socket)
      connection.closed()
      if (peers.size === 0) report.lost()
    })
  })
  server.on("request", (request, response) => {
    const peer = peers.get(request.socket)
    if (peer === undefined) return
    peer.open++
    response.once("close", () => {
      peer.open--
      if (isClosing && peer.open === 0) request.socket.destroySoon()
    })
    serve(request, response, peer.connection)
  })
  // Before the port is bound this is a failed start; later (no descriptors left, say) only that connection is lost.
  server.on("error", (error) => {
    if (!server.listening) report.failed(error.message)
  })
  server.listen({ host: address.host, port: address.port }, () =>
    report.bound({ host: address.host, port: portOf(server) })
  )

  return {
    unbind: () => {
      if (server.listening) server.close()
    },
    closeIdle() {
      isClosing = true
      for (const [socket, peer] of peers) if (peer.open === 0) socket.destroySoon()
    },
    connections: () => peers.size
  }
}

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const serve = (request: IncomingMessage, response: ServerResponse, connection: HttpConnection): void => {
  const exchange = connection.open(headOf(request), httpSink(response))
  response.on("drain", exchange.written)
  response.once("close", () => {
    if (!response.writableFinished) exchange.gone()
  })
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
  const chunks: Array<Buffer> = []
  let length = 0
  const refuse = (): void => {
    request.removeAllListeners("data")
    chunks.length = 0
    request.resume()
    exchange.tooLarge()
  }
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) {
    refuse()
    return
  }
  request.on("data", (chunk: Buffer) => {
    length += chunk.length
    if (length > bytesMax) refuse()
    else chunks.push(chunk)
  })
  request.on("end", () => {
    if (length <= bytesMax)
      exchange.received(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
  })
}
