import type { FaultServer } from "../faults/fault-server-api.ts"
import { startFaults } from "../faults/start-fault-server.ts"
import type { MockInferenceServer } from "../inference/server-api.ts"
import { startServer } from "../inference/start-server.ts"
import { makeVirtualClock } from "../kernel/virtual-clock.ts"
import { makeVirtualHttp, type VirtualHttp } from "../sim/virtual-http.ts"
import { makeLifetime, type RunSync } from "../supervisor/lifetime.ts"
import type {
  VirtualFaultServer,
  VirtualFaultServerOptions,
  VirtualServer,
  VirtualServerOptions
} from "./virtual-server-api.ts"

/**
 * Starts a server in virtual time.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const virtualServer = (options: VirtualServerOptions, runSync: RunSync): VirtualServer => {
  const { choice, clock = makeVirtualClock(choice), ...serverOptions } = options
  const http = makeVirtualHttp(clock)
  let server: MockInferenceServer | null = null
  const advance = async (ms: number): Promise<void> => clock.advance(ms)
  startServer({ clock, http, advance, lifetime: makeLifetime(runSync) }, serverOptions, {
    started: (started) => {
      server = started
    },
    failed: (error) => {
      throw error
    }
  })
  clock.settle()
  if (server === null) throw new Error("the virtual server did not start")
  return { server, clock, http }
}

/**
 * Starts a fault server in virtual time.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const virtualFaultServer = (options: VirtualFaultServerOptions, runSync: RunSync): VirtualFaultServer => {
  const { choice, faultChoice, clock = makeVirtualClock(choice), ...serverOptions } = options
  const net = makeVirtualHttp(clock)
  let server: FaultServer | null = null
  const http: VirtualHttp = {
    ...net,
    connect(connectOptions) {
      try {
        return net.connect(connectOptions)
      } catch (error) {
        const reason = server === null ? null : refusalOf(server)
        throw reason === null ? error : new Error(`connection refused: ${reason}`, { cause: error })
      }
    }
  }
  startFaults(
    {
      clock,
      http,
      advance: async (ms) => clock.advance(ms),
      lifetime: makeLifetime(runSync),
      anySeed: () => 0,
      countsConnects: true,
      ...(faultChoice === undefined ? {} : { choice: faultChoice })
    },
    serverOptions,
    {
      started: (started) => {
        server = started
      },
      failed: (error) => {
        throw error
      }
    }
  )
  clock.settle()
  if (server === null) throw new Error("the virtual fault server did not start")
  return { server, clock, http }
}

/** Why a port refuses and how it opens again; `null` when it is closed for good. */
const refusalOf = (server: FaultServer): string | null => {
  const turn = server.traceEvents().findLast((event) => event.type === "step" && event.chart === "listener")
  const state = turn?.type === "step" ? turn.state : ""
  if (state.startsWith("rebinding")) {
    return "the gap that refused it (connection_refused in the script, or server.refuse()) is over; clock.settle() lets the port open"
  }
  if (state !== "refusing") return null
  return (
    "the port refuses, by connection_refused in the script (each one without a time takes one connect, a timed one ends with " +
    "clock.advance(ms)) or by server.refuse() (until server.accept())"
  )
}
