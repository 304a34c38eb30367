import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { InvalidOption } from "../domain/errors.ts"
import type { SimKernel } from "../kernel/sim-kernel.ts"
import type { SimSockets } from "../sim/transport-sockets.ts"
import type { HttpServerLike, ServeOptions } from "./sim-world.ts"

/** What a server of `node:http` stands on in a simulated world. */
export interface ServeParts {
  readonly kernel: SimKernel
  readonly sockets: SimSockets
  onEnd(close: () => Promise<void>): void
}

/**
 * Serves by a server of `node:http` over simulated sockets. Its own timers are real ones, so they are switched off: how long
 * connections live is decided here, in virtual time. What is open when the program ends is closed then.
 *
 * **Fails** with `InvalidOption` for what is no such server, or already listens
 *
 * @since 0.1.0
 * @category simulation
 */
export const serveHttp = (
  { kernel, sockets, onEnd }: ServeParts,
  server: HttpServerLike,
  { idleMs, port = 0 }: ServeOptions = {}
): Promise<string> => {
  if (!isHttpServer(server))
    throw new InvalidOption("sim.serve(server) takes a server of node:http, as createServer(listener) makes it")
  if (server.listening)
    throw new InvalidOption("the server given to sim.serve listens already; it must not listen by itself")
  Object.assign(server, { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, timeout: 0 })
  // A date would be the real one, kept fresh by a timer that no fence can see.
  server.prependListener("request", (_: IncomingMessage, response: ServerResponse) => {
    response.sendDate = false
  })
  const open = new Set<Duplex>()

  const accept = (socket: Duplex): void => {
    open.add(socket)
    let forget = (): void => {}
    const watchIdle = (): void => {
      if (idleMs === undefined) return
      forget()
      forget = kernel.plan(idleMs, { kind: "timer", label: "idle", actor: "server" }, () => socket.end())
    }
    const finished = (request: IncomingMessage, response: ServerResponse): void => {
      if (request.socket === socket) response.on("finish", watchIdle)
    }
    server.on("request", finished)
    socket.on("data", () => forget())
    socket.on("close", () => {
      forget()
      open.delete(socket)
      server.off("request", finished)
    })
    server.emit("connection", socket)
    watchIdle()
  }

  return new Promise((resolve, reject) => {
    const { unbind } = sockets.listen(
      { host: "127.0.0.1", port },
      {
        bound: ({ host, port: bound }) => resolve(`http://${host}:${bound}`),
        failed: (reason) => reject(new Error(reason)),
        accept
      }
    )
    onEnd(async () => {
      unbind()
      for (const socket of open) socket.destroy()
    })
  })
}

const isHttpServer = (server: HttpServerLike): server is HttpServerLike & Server =>
  typeof server === "object" && server !== null && "prependListener" in server && "keepAliveTimeout" in server
