/**
 * Public subpath `llm-understudy/proxy`: a proxy between two programs of this machine that knows where messages end, and does to them
 * what a plan says.
 *
 *     await using proxy = await spawnFaultProxy("/tmp/front.sock", "/tmp/leader.sock", { dropFrame: 2 })
 */
import { noTrace } from "./kernel/trace.ts"
import { liveClock } from "./live/clock.ts"
import { makeLiveStreams } from "./live/stream-sockets.ts"
import type { FaultProxy } from "./proxy/fault-proxy.ts"
import type { PlanSource } from "./proxy/plan/plan-source.ts"
import type { FaultProxyOptions } from "./proxy/proxy-options.ts"
import { type ListenChoice, proxyParts, type UpstreamChoice } from "./proxy/proxy-parts.ts"
import { startFaultProxy } from "./proxy/start-fault-proxy.ts"
import { makeSupervisor } from "./supervisor/supervisor.ts"

/**
 * Starts a proxy that connects each of its clients to the upstream, and resolves when it listens. Stop it, or use it with `await using`.
 *
 * **Takes** where to listen and where to connect to: a path, `unix:PATH`, `tcp:HOST:PORT` of this machine (port 0 for any free one, see
 * `address` of the proxy), for the upstream also `http://HOST:PORT` and `https://HOST` on any machine, in front of which the framing is `http`; a fault plan, without which
 * it lets everything through; framing, seed, tail and recording
 * **Fails** with `InvalidOption`, `PathTooLong`, `ProxyBindFailed`; nothing is left then
 * **Source** agent-harness.md, section 6
 *
 * @since 0.1.0
 * @category constructors
 */
export const spawnFaultProxy = async (
  listen: ListenChoice,
  upstream: UpstreamChoice,
  plan?: PlanSource,
  options: FaultProxyOptions = {}
): Promise<FaultProxy> => {
  const parts = proxyParts(listen, upstream, plan, options)
  const clock = liveClock
  const supervisor = makeSupervisor({ clock, trace: noTrace })
  const streams = makeLiveStreams({ outside: parts.upstream })
  return startFaultProxy({ supervisor, streams, clock }, parts)
}

export { InvalidOption } from "./domain/errors.ts"
export { HarnessError, isHarnessError } from "./domain/harness-error.ts"
export { WaitTimeout } from "./domain/harness-errors.ts"
export { Cancelled, PathTooLong, ProxyBindFailed, ProxyFailed } from "./domain/harness-scope-errors.ts"
export type { StreamAddress, UpstreamAddress } from "./ports/stream-port.ts"
export type {
  ConnectionReport,
  ConnectionState,
  DirectionReport,
  FaultProxy,
  HeldFrame,
  ProxyTotals,
  ProxyWait
} from "./proxy/fault-proxy.ts"
export type { Direction, FaultAction, FaultProgram, FaultRule, FrameMatch, Span } from "./proxy/plan/fault-program.ts"
export type {
  ActionSource,
  BytesSource,
  DirectionSource,
  MatchSource,
  PlanSource,
  RuleSource,
  SpanSource
} from "./proxy/plan/plan-source.ts"
export { readPlan } from "./proxy/plan/read-plan.ts"
export type { FrameAction, ProxyEvent, ProxyFact } from "./proxy/proxy-event.ts"
export type { FaultProxyOptions, FramingChoice } from "./proxy/proxy-options.ts"
export type { ListenChoice, UpstreamChoice } from "./proxy/proxy-parts.ts"
export type { ProxyRecording, RecordedFrame } from "./proxy/proxy-recording.ts"
