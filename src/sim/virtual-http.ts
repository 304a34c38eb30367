import { chunksOf, type Ending } from "../domain/plan.ts"
import type { Header } from "../domain/request.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Sink } from "../kernel/sink.ts"
import type { Exchange, HttpApp, HttpConnection, HttpPort, ListenAddress, ListenReport } from "../ports/http-port.ts"

/** A request as a simulated client sends it. A string body is sent as UTF-8. */
export interface VirtualRequest {
  readonly method: string
  readonly target: string
  readonly headers?: ReadonlyArray<Header>
  readonly body?: string | Uint8Array
}

/** A piece of a body and the virtual time in milliseconds at which it left the server. */
export interface VirtualPiece {
  readonly at: number
  readonly bytes: string | Uint8Array
  /** They came past the framing of HTTP, which a real client would choke on. */
  readonly isUnframed?: boolean
}

/**
 * What a simulated client has received so far.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface VirtualResponse {
  /** `null` while no status line came. */
  readonly status: number | null
  readonly headers: ReadonlyArray<Header>
  readonly pieces: ReadonlyArray<VirtualPiece>
  /** The body so far, as text. */
  text(): string
  /** How the server ended it; `null` while it has not. */
  readonly ended: Ending | null
  /** The whole answer came, and ended cleanly. */
  readonly isComplete: boolean
  /** Reads what waits, so that the server may write on. Only needed on connections with a `windowBytes`. */
  read(): void
  /** Calls `see` after each change. */
  watch(see: () => void): void
}

/** A connection of a simulated client; it carries one request at a time, and none behind an answer that cut it. */
export interface VirtualConnection {
  readonly isOpen: boolean
  request(request: VirtualRequest): VirtualResponse
  /** The client goes away; the server notices at once. */
  disconnect(): void
}

/** How a simulated client connects. */
export interface ConnectOptions {
  /** The server feels back-pressure when this much is unread. Default: none. */
  readonly windowBytes?: number
}

/**
 * HTTP without sockets: requests reach the server as parsed data, answers reach the client as they are written.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface VirtualHttp extends HttpPort {
  /** Fails when nothing listens, as a refused connection does. */
  connect(options?: ConnectOptions): VirtualConnection
  connections(): number
}

/** A connection as the network sees it. */
interface Peer {
  readonly isIdle: () => boolean
  close(): void
}

/** A port in use, and the connections that were accepted on it. */
interface Bound {
  readonly app: HttpApp
  readonly report: ListenReport
  readonly connections: Set<Peer>
  isClosing: boolean
}

/** @since 0.1.0 @category constructors */
export const makeVirtualHttp = (clock: Clock): VirtualHttp => {
  const open = new Set<Peer>()
  let bound: Bound | null = null
  let last: Bound | null = null

  const connect = ({ windowBytes = Number.POSITIVE_INFINITY }: ConnectOptions = {}): VirtualConnection => {
    if (bound === null) {
      last?.report.refused?.()
      throw new Error("connection refused: no virtual server listens")
    }
    const { app, report } = bound
    const listening = bound
    let exchange: VirtualExchange | null = null
    let isOpen = true
    let isGone = false
    const close = (): void => {
      if (isGone) return
      isGone = true
      isOpen = false
      open.delete(peer)
      listening.connections.delete(peer)
      connection.closed()
      exchange?.lost()
      if (listening.connections.size === 0) report.lost()
    }
    const peer: Peer = { isIdle: () => exchange === null || exchange.isOver(), close }
    // What the server does in a step of its own is noticed after that step, as on a real socket.
    const closeSoon = (): void => {
      clock.arm(0, "close", close)
    }
    const connection: HttpConnection = app.connected(closeSoon)
    open.add(peer)
    listening.connections.add(peer)
    return {
      get isOpen() {
        return isOpen
      },
      request(request) {
        if (!isOpen) throw new Error("the virtual connection is closed")
        if (!peer.isIdle()) throw new Error("the virtual connection is busy with a request")
        exchange = startVirtualExchange({
          clock,
          connection,
          request,
          windowBytes,
          over: (isReusable) => {
            if (!isReusable) isOpen = false
            if (!isReusable || listening.isClosing) closeSoon()
          }
        })
        return exchange.response
      },
      disconnect() {
        isOpen = false
        // Nobody reads a connection that vanished, so nobody sees that its client left.
        if (exchange?.hasVanished() !== true) close()
      }
    }
  }

  return {
    listen(address: ListenAddress, app, report) {
      const own: Bound = { app, report, isClosing: false, connections: new Set() }
      const forget = clock.arm(0, "bind", () => {
        bound = own
        last = own
        report.bound({ host: address.host, port: address.port === 0 ? 1 : address.port })
      })
      return {
        unbind() {
          forget()
          if (bound === own) bound = null
        },
        closeIdle() {
          own.isClosing = true
          for (const peer of [...own.connections]) if (peer.isIdle()) peer.close()
        },
        connections: () => own.connections.size
      }
    },
    connect,
    connections: () => open.size
  }
}

interface VirtualExchange {
  readonly response: VirtualResponse
  /** The connection is gone. */
  lost(): void
  isOver(): boolean
  hasVanished(): boolean
}

const startVirtualExchange = (options: {
  readonly clock: Clock
  readonly connection: HttpConnection
  readonly request: VirtualRequest
  readonly windowBytes: number
  readonly over: (isReusable: boolean) => void
}): VirtualExchange => {
  const { clock, connection, request, windowBytes, over } = options
  const pieces: Array<VirtualPiece> = []
  const watchers = new Set<() => void>()
  let status: number | null = null
  let headers: ReadonlyArray<Header> = []
  let ended: Ending | null = null
  let unread = 0
  let isFull = false
  let tellDelivered: ((isDelivered: boolean) => void) | null = null
  const told = (isDelivered: boolean): void => {
    tellDelivered?.(isDelivered)
    tellDelivered = null
  }
  // What a watcher throws is the test's: it surfaces from the clock, and does not look like a broken transport.
  const changed = (): void => {
    for (const see of watchers) {
      try {
        see()
      } catch (error) {
        clock.arm(0, "watcher", () => {
          throw error
        })
      }
    }
  }

  const receive = (received: ReadonlyArray<VirtualPiece>): boolean => {
    for (const piece of received) {
      pieces.push(piece)
      unread += piece.bytes.length
    }
    isFull = unread >= windowBytes
    changed()
    return !isFull
  }

  const sink: Sink = {
    head(code, flat) {
      status = code
      headers = pairs(flat)
    },
    write: (bytes, chunkEnds) =>
      receive(chunksOf(bytes, chunkEnds).map((chunk) => ({ at: clock.now(), bytes: chunk }))),
    writeUnframed: (bytes) => receive([{ at: clock.now(), bytes, isUnframed: true }]),
    flush: changed,
    finish(how, report) {
      ended = how
      tellDelivered = report ?? null
      if (report !== undefined && !isFull) clock.arm(0, "delivered", () => told(true))
      changed()
      if (how !== "stall" && how !== "vanish") over(how === "end")
    }
  }

  const exchange: Exchange = connection.open(
    { method: request.method, target: request.target, headers: lowerCase(request.headers ?? []) },
    sink
  )
  sendBody(exchange, request.body)
  return {
    response: {
      get status() {
        return status
      },
      get headers() {
        return headers
      },
      pieces,
      text: () => pieces.map((piece) => textOf(piece.bytes)).join(""),
      get ended() {
        return ended
      },
      get isComplete() {
        return ended === "end"
      },
      read() {
        unread = 0
        if (!isFull) return
        isFull = false
        if (ended === null) exchange.written()
        else told(true)
      },
      watch: (see) => watchers.add(see)
    },
    lost: () => told(false),
    isOver: () => ended !== null && ended !== "stall" && ended !== "vanish",
    hasVanished: () => ended === "vanish"
  }
}

const sendBody = (exchange: Exchange, body: string | Uint8Array | undefined): void => {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : (body ?? new Uint8Array())
  if (exchange.bodyBytesMax === null) return
  if (bytes.byteLength > exchange.bodyBytesMax) exchange.tooLarge()
  else exchange.received(bytes)
}

const pairs = (flat: ReadonlyArray<string>): ReadonlyArray<Header> => {
  const headers: Array<Header> = []
  for (let at = 0; at + 1 < flat.length; at += 2) headers.push([(flat[at] ?? "").toLowerCase(), flat[at + 1] ?? ""])
  return headers
}

const textOf = (bytes: string | Uint8Array): string =>
  typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes)

/** Names arrive in lower case, as from a real socket. */
const lowerCase = (headers: ReadonlyArray<Header>): ReadonlyArray<Header> =>
  headers.map(([name, value]) => [name.toLowerCase(), value])
