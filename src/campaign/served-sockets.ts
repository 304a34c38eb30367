import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type { SimKernel } from "../kernel/sim-kernel.ts"

/** The connections of a server of `node:http` that knows none of them as its own. */
export interface ServedSockets {
  accepted(socket: Duplex): void
  began(request: IncomingMessage, response: ServerResponse): void
  closeIdle(): void
  closeAll(): void
  /** From now on a connection ends with its last answer; `drained` is called when none is left. */
  drain(drained: () => void): void
}

interface Connection {
  /** Requests that are not answered yet. */
  requests: number
  /** One that nobody has used yet is not idle, as in Node. */
  isIdle: boolean
  forgetTimer(): void
}

/**
 * **Takes** `idleMs`: a connection without a request for so many milliseconds of virtual time is closed
 *
 * @since 0.1.0
 * @category constructors
 */
export const servedSockets = (
  kernel: SimKernel,
  { idleMs }: { readonly idleMs?: number | undefined }
): ServedSockets => {
  const open = new Map<Duplex, Connection>()
  let drained: (() => void) | null = null

  const watch = (socket: Duplex, connection: Connection): void => {
    if (idleMs === undefined) return
    connection.forgetTimer()
    const forget = kernel.plan(idleMs, { kind: "timer", label: "idle", actor: "server" }, () => end(socket))
    connection.forgetTimer = forget
  }
  const answered = (socket: Duplex, connection: Connection): void => {
    connection.requests--
    if (connection.requests > 0) return
    connection.isIdle = true
    if (drained === null) watch(socket, connection)
    else end(socket)
  }

  return {
    accepted(socket) {
      const connection: Connection = { requests: 0, isIdle: false, forgetTimer: () => {} }
      open.set(socket, connection)
      watch(socket, connection)
      socket.on("data", () => {
        connection.isIdle = false
        connection.forgetTimer()
      })
      socket.on("close", () => {
        connection.forgetTimer()
        open.delete(socket)
        if (open.size === 0) drained?.()
      })
    },
    began({ socket }, response) {
      const connection = open.get(socket)
      if (connection === undefined) return
      connection.requests++
      response.on("finish", () => answered(socket, connection))
    },
    closeIdle() {
      for (const [socket, { isIdle }] of open) if (isIdle) end(socket)
    },
    closeAll() {
      for (const socket of open.keys()) socket.destroy()
    },
    drain(then) {
      drained = then
      if (open.size === 0) queueMicrotask(then)
    }
  }
}

/** What was written still leaves. */
const end = (socket: Duplex): void => void socket.end(() => socket.destroy())
