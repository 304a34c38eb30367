import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { buildConnector } from "undici"
import type { SimKernel } from "../kernel/sim-kernel.ts"
import type { ListenAddress } from "../ports/http-port.ts"
import { type ByteEnd, type SegmentOptions, segmented } from "./byte-pair.ts"
import type { DialWatch } from "./client-watch.ts"
import type { HeldThings } from "./held-things.ts"
import type { LinkOptions, Weather } from "./link-conditions.ts"
import { type Dial, type LinkNetwork, makeLinkNetwork } from "./link-network.ts"
import type { PortSpace } from "./link-ports.ts"
import { openConnections } from "./open-connections.ts"
import { type ClientTimeouts, connectMsDefault } from "./transport-client.ts"
import { connectError, transportErrors } from "./transport-errors.ts"
import { makeSimSocket, type SimSocket } from "./transport-socket.ts"
import { type ServedConnection, servedOn, type WatchedConnection, watchConnection } from "./transport-watched.ts"
import type { WireWatch } from "./wire-watch.ts"

/** Who serves the sockets of a port. */
export interface SocketServer {
  bound(address: ListenAddress): void
  failed(reason: string): void
  accept(socket: Duplex): void
  refused?(): void
}

/**
 * Sockets without an operating system, between real parsers of HTTP: those of `node:http` and of undici.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimSockets {
  readonly network: LinkNetwork<Uint8Array>
  /** For `makeLiveHttp({ sockets })`, whose servers then listen here. */
  listen(address: ListenAddress, server: SocketServer): { unbind(): void }
  /** For `new Agent({ connect })` of undici; draws are labelled `net/NAME/...`. */
  connector(client: string): buildConnector.connector
  /** Sockets of clients that are open, a line each. */
  waiting(): ReadonlyArray<string>
}

/** What a network of simulated sockets is like. */
export interface SimSocketsOptions extends LinkOptions, SegmentOptions {
  readonly timeouts?: ClientTimeouts | undefined
  /** Shared by the networks of a world. */
  readonly ports?: PortSpace | undefined
  readonly weather?: Weather | undefined
  /** Who sees what arrives. */
  readonly tap?: WireWatch | undefined
  /** Who sees the requests of clients. */
  readonly watch?: DialWatch | undefined
  /** Who wants to know which connections of clients are left. */
  readonly held?: HeldThings | undefined
}

const servedOverMessages =
  'this address is served over messages; reach it by sim.fetch(client) or sim.dispatcher(client), or start it over: "bytes"'

/** The port of a scheme. */
const schemePorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 }

/**
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeSimSockets = (kernel: SimKernel, options: SimSocketsOptions = {}): SimSockets => {
  const network = makeLinkNetwork<Uint8Array>(kernel, options)
  const connections = openConnections(kernel)
  const { connectMs = connectMsDefault } = options.timeouts ?? {}
  const cut = (end: ByteEnd, client: string): ByteEnd => segmented(end, { ...options, choice: kernel.choice, client })
  /** Connections that are served, and that their clients do not have yet. */
  const served = new Map<string, ServedConnection>()

  /** Both ends of a connection have one name. */
  const atServer = (name: string, accept: () => void): void => {
    if (options.watch === undefined) {
      accept()
      return
    }
    const connection: ServedConnection = { watched: null }
    served.set(name, connection)
    servedOn(connection, accept)
  }
  const atClient = (name: string, watched: WatchedConnection): void => {
    const connection = served.get(name)
    served.delete(name)
    if (connection !== undefined) connection.watched = watched
  }

  const connect = (
    dial: Dial,
    watch: WatchedConnection | undefined,
    report: Parameters<buildConnector.connector>[1]
  ): void => {
    const connection = connections.dialled(dial)
    network.connect(dial, {
      opened(end) {
        const near = cut(end, dial.client)
        const socket = makeSimSocket({ kernel, end: near, remote: dial, allowHalfOpen: false, watch })
        if (watch !== undefined) atClient(end.name, watch)
        watch?.connected(socket)
        connection.connected()
        socket.once("close", connection.over)
        if (options.held !== undefined) hold(options.held, socket, dial)
        if (isNetSocket(socket)) report(null, socket)
      },
      failed(why) {
        connection.over()
        report(connectError(why, dial, servedOverMessages), null)
      },
      // As the connector of undici has it, whose place this one takes.
      lost() {
        if (connectMs === 0) return
        kernel.plan(connectMs, { kind: "timer", label: "net/connectTimeout", actor: dial.client }, () => {
          connection.over()
          report(transportErrors.connectTimeout(dial, connectMs), null)
        })
      }
    })
  }

  return {
    network,
    waiting: connections.waiting,
    listen: (address, server) =>
      network.listen(address, {
        bound: server.bound,
        failed: server.failed,
        refused: () => server.refused?.(),
        accept(end) {
          const client = end.name.split(".")[0] ?? end.name
          const remote = { host: "127.0.0.1", port: 0 }
          atServer(end.name, () =>
            server.accept(makeSimSocket({ kernel, end: cut(end, client), remote, allowHalfOpen: true }))
          )
        }
      }),
    connector(client) {
      const dialled = options.watch?.connector(client)
      return (given, report) => {
        const port = given.port === "" ? (schemePorts[given.protocol] ?? 80) : Number(given.port)
        const dial: Dial = { client, host: given.hostname, port, isSecure: given.protocol === "https:" }
        connect(dial, dialled === undefined ? undefined : watchConnection(dial, dialled()), report)
      }
    }
  }
}

/** A client that leaves a connection to its server has forgotten it. */
const hold = (held: HeldThings, socket: SimSocket, { client, host, port }: Dial): void => {
  const what = (number: number): string => `${number}, to ${host}:${port}`
  const thing = held.opened({ kind: "connection", actor: client, what })
  if (thing !== null) socket.once("close", () => (socket.isEndedByPeer ? thing.ended() : thing.closed()))
}

/** It has what undici asks of a socket; it is none of `node:net`. */
const isNetSocket = (socket: SimSocket): socket is SimSocket & Socket => "resetAndDestroy" in socket
