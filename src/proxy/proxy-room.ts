import type { Choice } from "../kernel/choice.ts"
import type { Clock } from "../kernel/clock.ts"
import type { StreamPort, UpstreamAddress } from "../ports/stream-port.ts"
import type { Supervisor } from "../supervisor/supervisor.ts"
import type { EventLog } from "./event-log.ts"
import type { FrameRecorder } from "./frame-recorder.ts"
import type { Framing } from "./framing/framing.ts"
import type { FaultPlan } from "./plan/compile-plan.ts"
import type { Direction } from "./plan/fault-program.ts"
import type { LinkState } from "./plan/link-state.ts"
import type { ProxyProgress } from "./proxy-waits.ts"

/** What a proxy is made in, live or simulated. */
export interface ProxyWorld {
  readonly supervisor: Supervisor
  readonly streams: StreamPort
  readonly clock: Clock
  /** The chances of proxies for which no seed is said. Default: those of seed 1. */
  readonly choice?: Choice
}

/** Numbers of a proxy since its start. */
export interface ProxyCounts {
  accepted: number
  upstreamRefused: number
  closed: number
  severed: number
  frameErrors: number
}

/**
 * What all connections of a proxy share.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProxyRoom extends ProxyWorld {
  readonly plan: FaultPlan
  readonly framing: Framing
  readonly upstream: UpstreamAddress
  readonly tail: "forward" | "drop"
  /** Whether frames that no rule is about are told one by one. */
  readonly areFramesTold: boolean
  readonly log: EventLog
  readonly recorder: FrameRecorder | null
  readonly counts: ProxyCounts
  readonly forwarded: Record<Direction, number>
  /** What the test has changed; read it, and change it by `changeLink`. */
  readonly link: () => LinkState
  /** Changes it, and tells every pump that is concerned. */
  readonly changeLink: (change: (state: LinkState) => LinkState) => void
  /** Something that is waited for may have happened. */
  readonly progressed: (progress: ProxyProgress) => void
}
