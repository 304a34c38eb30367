import type { FaultServer, FaultServerOptions } from "../faults/fault-server-api.ts"
import type { MockInferenceServer, ServerOptions, ServerPreset } from "../inference/server-api.ts"
import type { RunFact } from "../oracles/run-event.ts"
import type { FaultProxy } from "../proxy/fault-proxy.ts"
import type { PlanSource } from "../proxy/plan/plan-source.ts"
import type { FaultProxyOptions } from "../proxy/proxy-options.ts"
import type { Sim } from "../sim/sim.ts"
import type { SimPorts } from "../sim/sim-ports.ts"
import type { SimCall } from "./client-call.ts"

/** How a server is reached: by whole messages, or by bytes between real parsers of HTTP. */
export interface ServedOver {
  readonly over?: "messages" | "bytes"
}

/** A server of `node:http`, made by `createServer` and not listening. */
export interface HttpServerLike {
  emit(event: "connection", socket: never): boolean
}

/** How a server of the test's own is served. */
export interface ServeOptions {
  /**
   * A connection without a request for so many milliseconds of virtual time is closed, and no answer says so. Default: what the server
   * itself does, its `keepAliveTimeout` (5,000; 0 is never), which its answers tell, and its `timeout`.
   */
  readonly idleMs?: number
  /** 0, the default, lets the world choose. */
  readonly port?: number
}

/**
 * The world of one run, with our servers in it: the code that runs live. A server that is still open when the program ends is
 * closed then.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimWorld extends Sim {
  startServer(options?: Omit<ServerOptions, "clock"> & ServerPreset & ServedOver): Promise<MockInferenceServer>
  startFaultServer(options: Omit<FaultServerOptions, "clock"> & ServedOver): Promise<FaultServer>
  /**
   * Puts a fault proxy in front of a server of this world that is started `over: "bytes"`, or by `serve`. Clients reach it by `sim.connector`
   * at its `url`; its connections and pumps run in the time of the world.
   *
   * **Takes** where the upstream is, as its `origin()` says; plan and options as `spawnFaultProxy`. Default framing: `http`
   * **Fails** with `InvalidOption`
   */
  startProxy(upstream: string, plan?: PlanSource, options?: FaultProxyOptions): Promise<FaultProxy>
  /**
   * Serves by a server of `node:http`, with whatever framework stands behind it, over simulated sockets; gives its address,
   * `http://HOST:PORT`. Clients reach it by `sim.connector`. `listening` and its event, `address()` and `close()` are true for the
   * time of the run.
   *
   * **Fails** with `InvalidOption`, and when the port is in use
   */
  serve(server: HttpServerLike, options?: ServeOptions): Promise<string>
  /**
   * Makes a call in the name of a client: judges (`judge`) see when it began, each request that it sends by `sim.fetch`,
   * `sim.dispatcher` or, over bytes, `sim.connector`, and how it settled. That it was given up they see where `call.abort()` does it,
   * whose signal is `call.signal`, and not where another `AbortController` does. Gives what `body` gives. A client may make several
   * at a time.
   */
  call<A>(client: string, body: (call: SimCall) => A | PromiseLike<A>): Promise<A>
  /** Tells judges what they cannot see by themselves, such as the places of a barrier of the test's own. */
  tell(fact: RunFact, actor?: string): void
  /** What `simRuntime` of `llm-understudy/effect` stands on. */
  readonly ports: SimPorts
}
