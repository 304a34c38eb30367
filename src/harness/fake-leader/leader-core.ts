import type { FakeLeaderEvent, fakeLeaderMachine } from "../../../machines/fake-leader.machine.ts"
import type { StreamListener } from "../../ports/stream-port.ts"
import type { Actor, Supervisor } from "../../supervisor/supervisor.ts"
import type { AcpRouter } from "./acp-router.ts"
import type { LeaderPeer } from "./leader-peer.ts"
import type { FakeLeaderPorts } from "./leader-ports.ts"
import type { FakeLeaderScript } from "./leader-script.ts"

/** What the performers of a leader work with. */
export interface LeaderCore {
  readonly script: FakeLeaderScript
  readonly ports: FakeLeaderPorts
  readonly supervisor: Supervisor
  readonly router: AcpRouter
  /** Everybody who is connected, and of them who has registered. */
  readonly connected: Map<number, LeaderPeer>
  readonly registered: Map<number, LeaderPeer>
  /** How many have connected so far. */
  connections: number
  listener: StreamListener | null
  isReady: boolean
  /** Whether clients were told that it is about to go. */
  isAnnounced: boolean
  isClosing: boolean
}

export type LeaderActor = Actor<typeof fakeLeaderMachine, LeaderCore>

/** Tells a leader what has happened, unless it is over. */
export const tellLeader = (leader: LeaderActor, event: FakeLeaderEvent): void => {
  if (leader.snapshot.status === "active") leader.data.supervisor.deliver(leader, event)
}

/** Sends a message to everybody who has registered. */
export const broadcast = ({ registered }: LeaderCore, message: Readonly<Record<string, unknown>>): void => {
  for (const peer of registered.values()) peer.send(message)
}

/** Writes down what has happened, as a line of JSON. */
export const note = (
  { ports }: Pick<LeaderCore, "ports">,
  event: string,
  details: Readonly<Record<string, unknown>> = {}
): void => ports.record(JSON.stringify({ at: ports.clock.wallMs(), pid: ports.pid, event, ...details }))
