import type { SimKernel } from "../kernel/sim-kernel.ts"
import type { Dial } from "./link-network.ts"

/** A connection of a client that carries bytes, from its dial to its close. */
export interface OpenConnection {
  connected(): void
  over(): void
}

/** Connections on which no requests can be seen, for whoever tells of a hang. */
export interface OpenConnections {
  dialled(dial: Dial): OpenConnection
  /** What is open, oldest first, a line each. */
  waiting(): ReadonlyArray<string>
}

const linesMax = 20

/** @since 0.1.0 @category constructors */
export const openConnections = (kernel: SimKernel): OpenConnections => {
  const open = new Set<{ readonly dial: Dial; sinceMs: number; isConnected: boolean }>()
  return {
    dialled(dial) {
      const connection = { dial, sinceMs: kernel.now(), isConnected: false }
      open.add(connection)
      return {
        connected() {
          connection.sinceMs = kernel.now()
          connection.isConnected = true
        },
        over: () => void open.delete(connection)
      }
    },
    waiting() {
      const lines = [...open].map(({ dial: { client, host, port }, sinceMs, isConnected }) =>
        isConnected
          ? `a socket of ${client} to ${host}:${port} is open since ${sinceMs} ms`
          : `a socket of ${client} waits for its network since ${sinceMs} ms, to reach ${host}:${port}`
      )
      const left = lines.length - linesMax
      return left > 0 ? [...lines.slice(0, linesMax), `and ${left} more sockets`] : lines
    }
  }
}
