import { InvalidOption } from "../domain/errors.ts"
import { describe } from "../domain/json.ts"
import { faultServerNames } from "../faults/check-server-options.ts"
import type { FaultServer } from "../faults/fault-server-api.ts"
import { startFaults } from "../faults/start-fault-server.ts"
import { serverOptionNames } from "../inference/check-options.ts"
import type { MockInferenceServer } from "../inference/server-api.ts"
import { startServer } from "../inference/start-server.ts"
import { makeLiveHttp } from "../live/http-server.ts"
import type { HttpPort } from "../ports/http-port.ts"
import { currentActor } from "../sim/fence-run.ts"
import type { Sim } from "../sim/sim.ts"
import type { SimParts } from "../sim/sim-run.ts"
import { type Lifetime, makeLifetime, type RunSync } from "../supervisor/lifetime.ts"
import { makeCalls } from "./client-call.ts"
import { checkFact } from "./fact-checks.ts"
import type { ObservedRun } from "./observe-run.ts"
import { serveHttp } from "./serve-http.ts"
import { checkServed } from "./served-options.ts"
import type { ServedOver, SimWorld } from "./sim-world.ts"

/** What a world is made of, beside the bare one. */
export interface WorldParts extends SimParts {
  readonly observer: ObservedRun
  readonly runSync: RunSync
  /** Whether somebody will tell of the run. */
  readonly isTold?: boolean | undefined
}

/** @since 0.1.0 @category constructors */
export const simWorld = (sim: Sim, parts: WorldParts): SimWorld => {
  const { kernel, clock, observer, runSync } = parts
  let bytes: HttpPort | null = null
  const portOf = (over: ServedOver["over"]): HttpPort => {
    if (over !== undefined && over !== "messages" && over !== "bytes") {
      throw new InvalidOption(`over is ${describe(over)}; give "messages" or "bytes"`)
    }
    if (over !== "bytes") return parts.port
    bytes ??= makeLiveHttp({ sockets: parts.sockets() })
    return bytes
  }
  const advance = (ms: number): Promise<void> => sim.sleep(ms)
  const lifetime = (): Lifetime => makeLifetime(runSync)
  return {
    ...sim,
    serve: async (server, options) =>
      serveHttp({ kernel, sockets: parts.sockets(), held: observer.held, onEnd: sim.onEnd }, server, options),
    ports: {
      clock,
      choice: kernel.choice,
      http: portOf,
      plan: kernel.plan,
      actor: currentActor,
      isOver: parts.isOver,
      held: observer.held
    },
    call: makeCalls(observer.tell, { isTold: parts.isTold }),
    tell(fact, actor = "test") {
      checkFact(fact, actor)
      if (fact.type === "faults.stopped") parts.stopFaults()
      observer.tell(actor, fact)
    },
    async startProxy(upstream, plan, options = {}) {
      const proxyParts = await import("./sim-proxy.ts")
      const proxy = await proxyParts.startSimProxy(
        { kernel, network: parts.sockets().network },
        { upstream, plan, options }
      )
      sim.onEnd(proxy.stop)
      return proxy
    },
    async startServer(given = {}) {
      checkServed("sim.startServer", given, { names: serverOptionNames, example: "{ strict: true }" })
      const { over, ...options } = given
      const ports = { clock, http: portOf(over), lifetime: lifetime(), advance }
      const server = await new Promise<MockInferenceServer>((started, failed) =>
        startServer(ports, options, { started, failed })
      )
      observer.started(server, { hasReplays: true })
      sim.onEnd(async () => {
        await server.close({ drainMs: 0 })
      })
      return server
    },
    async startFaultServer(given) {
      checkServed("sim.startFaultServer", given, { names: faultServerNames, example: '{ sequence: ["success"] }' })
      const { over, ...options } = given
      const ports = {
        clock,
        http: portOf(over),
        lifetime: lifetime(),
        advance,
        anySeed: () => sim.seed,
        choice: kernel.choice,
        countsConnects: over !== "bytes"
      }
      const server = await new Promise<FaultServer>((started, failed) =>
        startFaults(ports, options, { started, failed })
      )
      observer.started(server, { hasReplays: false })
      sim.onEnd(server.close)
      return server
    }
  }
}
