import type { Socket } from "node:net"
import type { SocketReport, StreamSocket } from "../ports/stream-port.ts"
import { codeOf } from "./proc-files.ts"

/**
 * Hands out a socket that is connected and keeps both of its directions until each has ended.
 *
 * **Takes** `carrier`: the socket underneath, where this one is carried by another
 *
 * @since 0.1.0
 * @category streams
 */
export const serveSocket = (
  socket: Socket,
  opened: (socket: StreamSocket) => SocketReport,
  carrier: Socket = socket
): void => {
  let problem: string | null = null
  // Whoever has it may close it at once.
  let isOver = false
  socket.on("error", (error) => {
    problem ??= codeOf(error) ?? error.message
  })
  const report = opened({
    write(bytes, done) {
      if (socket.destroyed || socket.writableEnded) {
        setImmediate(done, socket.destroyed ? "closed" : "ended")
        return false
      }
      socket.write(bytes, (error) => {
        const code = error ? (codeOf(error) ?? error.message) : null
        // Of a socket that was destroyed in the meantime Node says that all is well, or since version 24 that the write was cancelled.
        const isUnsaid = code === null || code === "ECANCELED"
        done(socket.destroyed && isUnsaid ? (problem ?? "closed") : code)
      })
      // A write that failed at once does not count any more either.
      return socket.writableLength === 0 && socket.errored === null && !socket.destroyed
    },
    end: () => void socket.end(),
    destroy() {
      isOver = true
      socket.destroy()
    },
    reset() {
      isOver = true
      // A Unix socket knows no reset, and Node refuses one.
      if (socket.remoteAddress === undefined) socket.destroy()
      else if (carrier === socket) resetNow(socket)
      else setImmediate(resetCarried, socket, carrier)
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume()
  })
  socket.on("data", (bytes: Buffer) => {
    if (!isOver) report.received(bytes)
  })
  socket.once("end", () => {
    if (!isOver) report.ended()
  })
  socket.once("close", () => report.closed(isOver ? null : problem))
}

/** While the system is being told of an end it refuses a reset, and the socket would never be closed; so that comes behind it. */
const resetNow = (socket: Socket): void => {
  if (socket.writableEnded && !socket.writableFinished && socket.writableLength === 0)
    socket.once("finish", () => socket.resetAndDestroy())
  else socket.resetAndDestroy()
}

/** Not within an event of the socket that is carried: Node 20 breaks down when what carries it is gone before the event is over. */
const resetCarried = (socket: Socket, carrier: Socket): void => {
  if (!carrier.destroyed) carrier.resetAndDestroy()
  socket.destroy()
}
