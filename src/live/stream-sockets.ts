import { connect, type Socket } from "node:net"
import { socketPathBytesMax } from "../domain/socket-path.ts"
import {
  addressProblem,
  type ConnectReport,
  type StreamPort,
  type StreamProblem,
  type UpstreamAddress
} from "../ports/stream-port.ts"
import { startListening } from "./stream-listener.ts"
import { problemOf } from "./stream-problem.ts"
import { serveSocket } from "./stream-socket.ts"
import { connectTls } from "./tls-socket.ts"

/** Whom sockets of this machine may reach. */
export interface LiveStreamOptions {
  /** The one address that may be no loopback address. Default: none. */
  readonly outside?: UpstreamAddress | null
  /** Certificates, as PEM, that servers of TLS are checked against in the place of those that Node trusts. */
  readonly trusted?: string
}

/**
 * The sockets of this machine.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeLiveStreams = ({ outside = null, trusted }: LiveStreamOptions = {}): StreamPort => {
  const pathBytesMax = socketPathBytesMax(process.platform)
  const listeners = new Set<object>()
  const connections = new Set<Socket>()
  const kept = (socket: Socket): Socket => {
    connections.add(socket)
    socket.once("close", () => connections.delete(socket))
    return socket
  }
  return {
    pathBytesMax,
    listen: (address, report) => startListening(address, { report, pathBytesMax, listeners, kept }),
    connect(address, report) {
      const problem = addressProblem(address, pathBytesMax, outside)
      if (problem === null) return startConnecting(address, { report, kept, trusted })
      const telling = setImmediate(() => report.failed(problem))
      return () => clearImmediate(telling)
    },
    open: () => ({ listeners: listeners.size, connections: connections.size })
  }
}

/** A socket on its way. */
interface Connecting {
  readonly socket: Socket
  /** The one that it is carried by; itself where it is carried by none. */
  readonly carrier: Socket
  /** What says that it is connected. */
  readonly opened: "connect" | "secureConnect"
  readonly problemOf: (error: Error) => StreamProblem
}

const connecting = (address: UpstreamAddress, trusted: string | undefined): Connecting => {
  const where = address.kind === "unix" ? { path: address.path } : { host: address.host, port: address.port }
  const carrier = connect({ ...where, allowHalfOpen: true, noDelay: true })
  return address.kind === "tls"
    ? { ...connectTls(carrier, address, trusted), carrier, opened: "secureConnect" }
    : { socket: carrier, carrier, opened: "connect", problemOf }
}

const startConnecting = (
  address: UpstreamAddress,
  parts: {
    readonly report: ConnectReport
    readonly kept: (socket: Socket) => Socket
    readonly trusted: string | undefined
  }
): (() => void) => {
  const { report, kept, trusted } = parts
  const { socket, carrier, opened, problemOf: described } = connecting(address, trusted)
  kept(socket)
  let isOver = false
  let failure: StreamProblem | null = null
  const recordFailure = (error: Error): void => {
    failure = described(error)
  }
  socket.once("error", recordFailure)
  // By then nothing of it is left.
  socket.once("close", () => {
    if (!isOver && failure !== null) report.failed(failure)
    isOver = true
  })
  socket.once(opened, () => {
    if (isOver) return
    isOver = true
    serveSocket(socket, report.opened, carrier)
    socket.off("error", recordFailure)
  })
  return () => {
    if (isOver) return
    isOver = true
    socket.destroy()
  }
}
