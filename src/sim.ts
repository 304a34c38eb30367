import { Effect } from "effect"
import type { FaultServer, FaultServerOptions } from "./faults/fault-server-api.ts"
import { startFaults } from "./faults/start-fault-server.ts"
import type { MockInferenceServer, ServerOptions, ServerPreset } from "./inference/server-api.ts"
import { startServer } from "./inference/start-server.ts"
import type { Choice } from "./kernel/choice.ts"
import { makeVirtualClock, type VirtualClock } from "./kernel/virtual-clock.ts"
import { makeVirtualHttp, type VirtualHttp } from "./sim/virtual-http.ts"
import { makeLifetime } from "./supervisor/lifetime.ts"

/**
 * A server in virtual time: the code that runs live, on an in-memory network and a clock that moves when told to.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface VirtualServer {
  readonly server: MockInferenceServer
  readonly clock: VirtualClock
  readonly http: VirtualHttp
}

/**
 * Starts a server in virtual time. Clients are made with `http.connect()`; nothing happens before `clock.settle()` (what is
 * due now) or `clock.advance(ms)`. Closing needs time too: `const closing = server.close(); clock.settle(); await closing`
 * (`clock.advance(1_000)` when an answer is in progress). `choice` picks among events that are due together; without it the oldest goes first.
 * Several servers can share a clock.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const startVirtualServer = (
  options: Omit<ServerOptions, "clock"> &
    ServerPreset & { readonly choice?: Choice; readonly clock?: VirtualClock } = {}
): VirtualServer => {
  const { choice, clock = makeVirtualClock(choice), ...serverOptions } = options
  const http = makeVirtualHttp(clock)
  let server: MockInferenceServer | null = null
  const advance = async (ms: number): Promise<void> => clock.advance(ms)
  startServer({ clock, http, advance, lifetime: makeLifetime(Effect.runSync) }, serverOptions, {
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

/** A fault server in virtual time. */
export interface VirtualFaultServer {
  readonly server: FaultServer
  readonly clock: VirtualClock
  readonly http: VirtualHttp
}

/**
 * Starts a fault server in virtual time, as `startVirtualServer` starts the other one. A bare `connection_refused` may
 * stand anywhere in a script here, and consumes exactly one connect that is refused. Without `randomSeed` the seed is 0;
 * `faultChoice` answers `random` entries in its place.
 *
 * **Fails** with `InvalidOption`
 * **Source** fault-server.md, sections 9.2.6 and 9.6
 *
 * @since 0.1.0
 * @category constructors
 */
export const startVirtualFaultServer = (
  options: Omit<FaultServerOptions, "clock"> & {
    readonly choice?: Choice
    readonly faultChoice?: Choice
    readonly clock?: VirtualClock
  }
): VirtualFaultServer => {
  const { choice, faultChoice, clock = makeVirtualClock(choice), ...serverOptions } = options
  const http = makeVirtualHttp(clock)
  let server: FaultServer | null = null
  startFaults(
    {
      clock,
      http,
      advance: async (ms) => clock.advance(ms),
      lifetime: makeLifetime(Effect.runSync),
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

export type { Choice } from "./kernel/choice.ts"
export { calmChoice, type Draw, listedChoice, recordedChoice, seededChoice } from "./kernel/choice-sources.ts"
export { makeVirtualClock, type VirtualClock } from "./kernel/virtual-clock.ts"
export type {
  ConnectOptions,
  VirtualConnection,
  VirtualPiece,
  VirtualRequest,
  VirtualResponse
} from "./sim/virtual-http.ts"
