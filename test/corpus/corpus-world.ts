import { createServer, type RequestListener } from "node:http"
import { Effect } from "effect"
import { simWorld } from "../../src/campaign/make-sim-world.ts"
import { observeRun } from "../../src/campaign/observe-run.ts"
import type { SimWorld } from "../../src/campaign/sim-world.ts"
import { type Outcome, thrownOutcome } from "../../src/explore/outcome.ts"
import type { Program } from "../../src/explore/program.ts"
import { runSim, type SimParts } from "../../src/sim/sim-run.ts"
import type { SimOptions } from "../../src/sim.ts"
import type { CorpusProgram } from "./corpus-bug.ts"

/** A simulated world in which a test can also serve what our servers do not: MCP, or a server that hangs up on idle clients. */
export interface CorpusWorld extends SimWorld {
  /** Serves by `node:http` over simulated sockets, and gives the address. Clients come by `connector`. */
  serve(listener: RequestListener, options?: ServeOptions): Promise<string>
}

export interface ServeOptions {
  /** A connection without a request for so many milliseconds is closed. Default: never. */
  readonly idleMs?: number
}

/** A program of the corpus as exploration wants it. */
export const programOf =
  (body: CorpusProgram, options: SimOptions): Program<Promise<Outcome>> =>
  async (choice, context) => {
    const { outcome } = await runSim(
      {
        ...options,
        choice,
        context,
        observe: (kernel) => observeRun(kernel, { context }),
        extend: (sim, parts, observer) => ({
          ...simWorld(sim, { ...parts, observer, runSync: Effect.runSync }),
          serve: (listener: RequestListener, how: ServeOptions = {}) => serve(parts, listener, how)
        })
      },
      body
    )
    const { hash } = outcome.stats
    return outcome.status === "returned" ? { type: "ok", hash } : { ...thrownOutcome(outcome.error), hash }
  }

const serve = (parts: SimParts, listener: RequestListener, { idleMs }: ServeOptions): Promise<string> => {
  // The timers of node:http are real ones: how long connections live is decided here, in virtual time.
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
    // A date would be the real one, kept fresh by a timer that no fence can see.
    response.sendDate = false
    listener(request, response)
  })
  return new Promise((resolve, reject) =>
    parts.sockets().listen(
      { host: "127.0.0.1", port: 0 },
      {
        bound: ({ host, port }) => resolve(`http://${host}:${port}`),
        failed: (reason) => reject(new Error(reason)),
        accept(socket) {
          let forget = (): void => {}
          server.emit("connection", socket)
          if (idleMs === undefined) return
          const watchIdle = (): void => {
            forget()
            const timer = { kind: "timer", label: "idle", actor: "server" } as const
            forget = parts.kernel.plan(idleMs, timer, () => socket.end())
          }
          watchIdle()
          socket.on("data", () => forget())
          server.on("request", (request, response) => {
            if (request.socket === socket) response.on("finish", watchIdle)
          })
          socket.on("close", () => forget())
        }
      }
    )
  )
}
