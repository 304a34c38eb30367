import { PathTooLong } from "../domain/harness-scope-errors.ts"
import { proxySeedDefault, recordingBytesMax } from "../domain/proxy-limits.ts"
import { addressProblem, type StreamPort, type UpstreamAddress } from "../ports/stream-port.ts"
import { makeEventLog } from "./event-log.ts"
import type { FaultProxy } from "./fault-proxy.ts"
import { type FrameRecorder, makeFrameRecorder } from "./frame-recorder.ts"
import { openFraming } from "./framing/open-framing.ts"
import { listenError } from "./listen-error.ts"
import { type ProxyListener, startListener } from "./listener-kind.ts"
import { type HandleOfProxy, makeProxyHandle } from "./make-proxy-handle.ts"
import { compilePlan } from "./plan/compile-plan.ts"
import { directions } from "./plan/fault-program.ts"
import { labelledChoice } from "./plan/labelled-choice.ts"
import { type LinkState, wholeLink } from "./plan/link-state.ts"
import { readPlan } from "./plan/read-plan.ts"
import { proxyEventLine } from "./proxy-event-line.ts"
import { checkProxyOptions } from "./proxy-option-table.ts"
import type { FaultProxyOptions, FaultProxyParts } from "./proxy-options.ts"
import type { ProxyRoom, ProxyWorld } from "./proxy-room.ts"
import { makeProxyWaits } from "./proxy-waits.ts"
import { pumpLinkChanged } from "./pump-kind.ts"

/**
 * Starts a proxy, and resolves when it listens.
 *
 * **Fails** with `InvalidOption`, `PathTooLong`, `ProxyBindFailed`; nothing is left then
 * **Source** agent-harness.md, section 6
 *
 * @since 0.1.0
 * @category constructors
 */
export const startFaultProxy = async (
  world: ProxyWorld,
  { listen, upstream, plan: planSource, ...options }: FaultProxyParts
): Promise<FaultProxy> => {
  checkProxyOptions(options)
  const { framing: framingChoice = "lengthPrefixed", seed = proxySeedDefault, tail = "forward", record } = options
  const areFramesTold = options.events === "frames"
  const framing = openFraming(framingChoice, upstream)
  const plan = compilePlan(readPlan(planSource), {
    choice: (options.seed === undefined ? world.choice : undefined) ?? labelledChoice(seed),
    rewriteLength: framing.rewriteLength
  })
  refuseLongPaths(world.streams, [listen, upstream])
  const waits = makeProxyWaits(world.clock, () => soFar(room))
  let link: LinkState = wholeLink
  const room: ProxyRoom = {
    ...world,
    plan,
    framing,
    upstream,
    tail,
    areFramesTold,
    log: makeEventLog(world.clock),
    recorder: recorderOf(record),
    counts: { accepted: 0, upstreamRefused: 0, closed: 0, severed: 0, frameErrors: 0 },
    forwarded: { clientToLeader: 0, leaderToClient: 0 },
    link: () => link,
    changeLink(change) {
      const changed = change(link)
      // Most connections close without anything about them that others would have to hear of.
      if (changed === link) return
      link = changed
      for (const { data } of listener.data.open) {
        if (data.pumps !== null) for (const direction of directions) pumpLinkChanged(data.pumps[direction])
      }
    },
    progressed: waits.progressed
  }
  let handle: HandleOfProxy | null = null
  let listener: ProxyListener
  return new Promise((resolve, reject) => {
    listener = startListener(room, listen, {
      bound(address) {
        handle = makeProxyHandle({ room, waits, listener, address, seed })
        resolve(handle.proxy)
      },
      failed: (problem) => reject(listenError(listen, problem)),
      lost: (reason) => handle?.lost(reason),
      stopped: () => handle?.stopped(),
      closed: (connection) => handle?.closed(connection)
    })
  })
}

/** So many events are in the message of a wait that was in vain. */
const shownEventsMax = 5

/** What a proxy has come to. */
const soFar = ({ counts, forwarded, log }: ProxyRoom): string => {
  const { clientToLeader, leaderToClient } = forwarded
  const last = log.events().slice(-shownEventsMax).map(proxyEventLine)
  return [
    `${counts.accepted} connections so far, ${clientToLeader} frames forwarded to the upstream and ${leaderToClient} back; last of all`,
    ...last
  ].join("\n")
}

const recorderOf = (record: FaultProxyOptions["record"] = false): FrameRecorder | null => {
  if (record === false) return null
  return makeFrameRecorder(record === true ? recordingBytesMax : record.bytesMax)
}

/** A path that is too long would be cut off by the system, and another place be served or asked. */
const refuseLongPaths = ({ pathBytesMax }: StreamPort, addresses: ReadonlyArray<UpstreamAddress>): void => {
  for (const address of addresses) {
    if (address.kind !== "unix") continue
    const problem = addressProblem(address, pathBytesMax)
    if (problem?.kind === "path too long") throw new PathTooLong(address.path, problem)
  }
}
