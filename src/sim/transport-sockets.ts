import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { buildConnector } from "undici"
import type { SimKernel } from "../kernel/sim-kernel.ts"
import type { ListenAddress } from "../ports/http-port.ts"
import { type ByteEnd, type SegmentOptions, segmented } from "./byte-pair.ts"
import type { LinkOptions } from "./link-conditions.ts"
import { type Dial, type LinkNetwork, makeLinkNetwork } from "./link-network.ts"
import type { PortSpace } from "./link-ports.ts"
import { openConnections } from "./open-connections.ts"
import { connectError } from "./transport-errors.ts"
import { makeSimSocket, type SimSocket } from "./transport-socket.ts"
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
  /** Shared by the networks of a world. */
  readonly ports?: PortSpace | undefined
  /** Who sees what arrives. */
  readonly tap?: WireWatch | undefined
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
  const cut = (end: ByteEnd, client: string): ByteEnd => segmented(end, { ...options, choice: kernel.choice, client })

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
          server.accept(makeSimSocket({ kernel, end: cut(end, client), remote, allowHalfOpen: true }))
        }
      }),
    connector: (client) => (given, report) => {
      const port = given.port === "" ? (schemePorts[given.protocol] ?? 80) : Number(given.port)
      const dial: Dial = { client, host: given.hostname, port }
      const connection = connections.dialled(dial)
      network.connect(dial, {
        opened(end) {
          const socket = makeSimSocket({ kernel, end: cut(end, client), remote: dial, allowHalfOpen: false })
          connection.connected()
          socket.once("close", connection.over)
          if (isNetSocket(socket)) report(null, socket)
        },
        failed(why) {
          connection.over()
          report(connectError(why, dial, servedOverMessages), null)
        }
      })
    }
  }
}

/** It has what undici asks of a socket; it is none of `node:net`. */
const isNetSocket = (socket: SimSocket): socket is SimSocket & Socket => "resetAndDestroy" in socket
