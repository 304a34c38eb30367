import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { InvalidOption } from "../domain/errors.ts"
import { members, milliseconds, type OptionCheck, whole } from "../domain/option-checks.ts"
import type { SimKernel } from "../kernel/sim-kernel.ts"
import { currentActor } from "../sim/fence-run.ts"
import type { HeldThings } from "../sim/held-things.ts"
import type { SimSockets } from "../sim/transport-sockets.ts"
import { lend, standInFor } from "./listening-server.ts"
import { servedSockets } from "./served-sockets.ts"
import type { HttpServerLike, ServeOptions } from "./sim-world.ts"

/** What a server of `node:http` stands on in a simulated world. */
export interface ServeParts {
  readonly kernel: SimKernel
  readonly sockets: SimSockets
  readonly held?: HeldThings | undefined
  onEnd(close: () => Promise<void>): void
}

const checks: Readonly<Record<keyof ServeOptions, OptionCheck>> = { idleMs: milliseconds, port: whole(0, 65_535) }

/**
 * Serves by a server of `node:http` over simulated sockets, whose timers are virtual: its `keepAliveTimeout`, which it tells in its
 * answers, and its `timeout` end connections as they do live, unless `idleMs` does. It looks after heads and requests that do not
 * come by a real timer, which is switched off. It says that it listens until it is closed, by the program or with the
 * program's end; then what is open is closed, and the server is as it was.
 *
 * **Fails** with `InvalidOption` for what is no such server, or already listens, and for options that there are not
 *
 * @since 0.1.0
 * @category simulation
 */
export const serveHttp = (
  { kernel, sockets, held, onEnd }: ServeParts,
  server: HttpServerLike,
  options: ServeOptions = {}
): Promise<string> => {
  const problem = members(checks)(options, "")
  if (problem !== null) throw new InvalidOption(`sim.serve: ${problem}`)
  if (!isHttpServer(server))
    throw new InvalidOption("sim.serve(server) takes a server of node:http, as createServer(listener) makes it")
  if ("setSecureContext" in server)
    throw new InvalidOption("sim.serve(server) takes no server of node:https: give one of node:http, there is no TLS")
  if (server.listening)
    throw new InvalidOption("the server given to sim.serve listens already, by itself or by an earlier sim.serve")

  const served = servedSockets(kernel, options)
  const began = (request: IncomingMessage, response: ServerResponse): void => {
    // A date would be the real one, kept fresh by a timer that no fence can see.
    response.sendDate = false
    served.began(request, response)
  }
  server.prependListener("request", began)
  const idle = options.idleMs === undefined ? {} : { keepAliveTimeout: 0, timeout: 0 }
  const giveTimersBack = lend(server, { requestTimeout: 0, headersTimeout: 0, ...idle })
  let where = ""
  const thing = held?.opened({ kind: "listener", actor: currentActor(), what: () => where })
  return new Promise((resolve, reject) => {
    const standIn = standInFor(server, {
      close(closed) {
        unbind()
        thing?.closed()
        // Of a server that listens already this changes nothing.
        reject(new Error("the server given to sim.serve was closed before it listened"))
        served.closeIdle()
        served.drain(closed)
      },
      closeIdle: served.closeIdle,
      closeAll: served.closeAll
    })
    const leave = (): void => {
      unbind()
      standIn.leave()
      giveTimersBack()
      server.off("request", began)
    }
    const { unbind } = sockets.listen(
      { host: "127.0.0.1", port: options.port ?? 0 },
      {
        bound(address) {
          standIn.bound(address)
          where = `${address.host}:${address.port}`
          resolve(`http://${where}`)
        },
        failed(reason) {
          leave()
          thing?.closed()
          reject(new Error(reason))
        },
        accept(socket) {
          served.accepted(socket)
          server.emit("connection", socket)
        }
      }
    )
    onEnd(async () => {
      leave()
      served.closeAll()
    })
  })
}

const isHttpServer = (server: HttpServerLike): server is HttpServerLike & Server =>
  typeof server === "object" && server !== null && "prependListener" in server && "keepAliveTimeout" in server
