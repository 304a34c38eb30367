import type { FaultServer, FaultServerOptions } from "../faults/fault-server-api.ts"
import type { MockInferenceServer, ServerOptions, ServerPreset } from "../inference/server-api.ts"
import type { Sim } from "../sim/sim.ts"

/** How a server is reached: by whole messages, or by bytes between real parsers of HTTP. */
export interface ServedOver {
  readonly over?: "messages" | "bytes"
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
}
