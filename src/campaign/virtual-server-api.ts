import type { FaultServer, FaultServerOptions } from "../faults/fault-server-api.ts"
import type { MockInferenceServer, ServerOptions, ServerPreset } from "../inference/server-api.ts"
import type { Choice } from "../kernel/choice.ts"
import type { VirtualClock } from "../kernel/virtual-clock.ts"
import type { VirtualHttp } from "../sim/virtual-http.ts"

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

/** What a server in virtual time is started with. */
export type VirtualServerOptions = Omit<ServerOptions, "clock"> &
  ServerPreset & { readonly choice?: Choice; readonly clock?: VirtualClock }

/** A fault server in virtual time. */
export interface VirtualFaultServer {
  readonly server: FaultServer
  readonly clock: VirtualClock
  readonly http: VirtualHttp
}

/** What a fault server in virtual time is started with. */
export type VirtualFaultServerOptions = Omit<FaultServerOptions, "clock"> & {
  readonly choice?: Choice
  readonly faultChoice?: Choice
  readonly clock?: VirtualClock
}
