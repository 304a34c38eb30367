import { connect, type Socket } from "node:net"
import { socketPathBytesMax } from "../domain/socket-path.ts"
import {
  addressProblem,
  type ConnectReport,
  type StreamAddress,
  type StreamPort,
  type StreamProblem
} from "../ports/stream-port.ts"
import { startListening } from "./stream-listener.ts"
import { problemOf } from "./stream-problem.ts"
import { serveSocket } from "./stream-socket.ts"

/**
 * The sockets of this machine.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeLiveStreams = (): StreamPort => {
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
    connect: (address, report) => startConnecting(address, { report, pathBytesMax, kept }),
    open: () => ({ listeners: listeners.size, connections: connections.size })
  }
}

const startConnecting = (
  address: StreamAddress,
  parts: {
    readonly report: ConnectReport
    readonly pathBytesMax: number
    readonly kept: (socket: Socket) => Socket
  }
): (() => void) => {
  const { report, pathBytesMax, kept } = parts
  const problem = addressProblem(address, pathBytesMax)
  if (problem !== null) {
    const telling = setImmediate(() => report.failed(problem))
    return () => clearImmediate(telling)
  }
  const where = address.kind === "unix" ? { path: address.path } : { host: address.host, port: address.port }
  const socket = kept(connect({ ...where, allowHalfOpen: true, noDelay: true }))
  let isOver = false
  let failure: StreamProblem | null = null
  const recordFailure = (error: Error): void => {
    failure = problemOf(error)
  }
  socket.once("error", recordFailure)
  // By then nothing of it is left.
  socket.once("close", () => {
    if (!isOver && failure !== null) report.failed(failure)
    isOver = true
  })
  socket.once("connect", () => {
    if (isOver) return
    isOver = true
    serveSocket(socket, report.opened)
    socket.off("error", recordFailure)
  })
  return () => {
    if (isOver) return
    isOver = true
    socket.destroy()
  }
}
