import type { SimKernel } from "../kernel/sim-kernel.ts"
import { makeTrace } from "../kernel/trace.ts"
import type { FaultProxy } from "../proxy/fault-proxy.ts"
import type { PlanSource } from "../proxy/plan/plan-source.ts"
import type { FaultProxyOptions } from "../proxy/proxy-options.ts"
import { proxyParts } from "../proxy/proxy-parts.ts"
import { startFaultProxy } from "../proxy/start-fault-proxy.ts"
import { kernelClock } from "../sim/kernel-clock.ts"
import type { LinkNetwork } from "../sim/link-network.ts"
import { linkStreams } from "../sim/link-streams.ts"
import { makeSupervisor } from "../supervisor/supervisor.ts"

/** In whose name a proxy connects and waits. */
const actor = "proxy"

/**
 * Starts a fault proxy in a simulated world. Its chances are choices of the run, unless a seed is said.
 *
 * **Fails** with `InvalidOption`, and as `startFaultProxy` does
 *
 * @since 0.1.0
 * @category simulation
 */
export const startSimProxy = (
  { kernel, network }: { readonly kernel: SimKernel; readonly network: LinkNetwork<Uint8Array> },
  asked: {
    readonly upstream: string
    readonly plan: PlanSource | undefined
    readonly options: FaultProxyOptions
  }
): Promise<FaultProxy> => {
  const clock = kernelClock(kernel, actor)
  const supervisor = makeSupervisor({ clock, trace: makeTrace(clock) })
  const parts = proxyParts("tcp:127.0.0.1:0", asked.upstream, asked.plan, { framing: "http", ...asked.options })
  return startFaultProxy({ supervisor, streams: linkStreams(network, actor), clock, choice: kernel.choice }, parts)
}
