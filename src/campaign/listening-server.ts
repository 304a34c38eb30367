import { createServer, type Server } from "node:http"
import type { ListenAddress } from "../ports/http-port.ts"

/** What becomes of the connections of a server that Node believes to have none. */
export interface StandInParts {
  /** No connection is taken any more; `closed` is called when the last one is gone. */
  close(closed: () => void): void
  closeIdle(): void
  closeAll(): void
}

/** A server that says of itself that it listens. */
export interface StandIn {
  bound(address: ListenAddress): void
  /** What it is asked from now on is answered by Node again. */
  leave(): void
}

/**
 * Lets a server of `node:http` behave as one that listens: `listening`, `address()`, `close()` and the closing of connections.
 *
 * @since 0.1.0
 * @category simulation
 */
export const standInFor = (server: Server, parts: StandInParts): StandIn => {
  let isListening = true
  let address: { readonly address: string; readonly family: string; readonly port: number } | null = null
  const leave = lend(server, {
    get listening() {
      return isListening
    },
    address: () => address,
    close(closed?: (error?: Error) => void) {
      if (!isListening) {
        if (closed !== undefined) queueMicrotask(() => closed(notRunning()))
        return server
      }
      isListening = false
      address = null
      if (closed !== undefined) server.once("close", closed)
      parts.close(() => server.emit("close"))
      return server
    },
    closeIdleConnections: parts.closeIdle,
    closeAllConnections: parts.closeAll
  })
  return {
    bound({ host, port }) {
      if (!isListening) return
      address = { address: host, family: "IPv4", port }
      sayListening(server)
    },
    leave
  }
}

/** Tells everybody but Node itself, which would start a real timer that looks for idle connections. */
const sayListening = (server: Server): void => {
  const own = createServer().listeners(event)
  const left = server.rawListeners(event).filter((listener) => own.includes(listener))
  for (const listener of left) Reflect.apply(server.removeListener, server, [event, listener])
  try {
    server.emit(event)
  } finally {
    for (const listener of left) Reflect.apply(server.prependListener, server, [event, listener])
  }
}

const event = "listening"

/** As Node says it. */
const notRunning = (): Error => Object.assign(new Error("Server is not running."), { code: "ERR_SERVER_NOT_RUNNING" })

/** Gives an object members of its own; what it gives makes the object what it was. */
export const lend = (to: object, members: object): (() => void) => {
  const lent = Object.entries(Object.getOwnPropertyDescriptors(members))
  const before = lent.map(([name]) => ({ name, own: Object.getOwnPropertyDescriptor(to, name) }))
  for (const [name, member] of lent) Object.defineProperty(to, name, member)
  return () => {
    for (const { name, own } of before) {
      if (own === undefined) Reflect.deleteProperty(to, name)
      else Object.defineProperty(to, name, own)
    }
  }
}
