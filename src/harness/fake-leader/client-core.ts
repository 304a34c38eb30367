import type { FakeLeaderClientEvent, fakeLeaderClientMachine } from "../../../machines/fake-leader-client.machine.ts"
import type { Actor, Supervisor } from "../../supervisor/supervisor.ts"
import type { ClientMemory, Replay } from "./client-memory.ts"
import type { FakeLeaderClientPorts } from "./client-ports.ts"
import type { LeaderLink } from "./leader-link.ts"
import type { LineQueue } from "./line-queue.ts"

/** What the performers of a client work with. */
export interface ClientCore {
  readonly ports: FakeLeaderClientPorts
  readonly supervisor: Supervisor
  readonly memory: ClientMemory
  readonly queue: LineQueue
  /** The connection that is tried, or is there. */
  link: LeaderLink | null
  /** Who held the lock when the connection was tried, and who has not been reached so far. */
  holderAtDial: number | null
  holderSought: number | null
  /** What is still to be said to a new leader, and what it was asked. */
  replays: ReadonlyArray<Replay>
  asked: Replay | null
  /** The session that was restored last. */
  restored: string | null
  failure: string
}

export type ClientActor = Actor<typeof fakeLeaderClientMachine, ClientCore>

/** Tells a client what has happened, unless it is over. */
export const tellClient = (client: ClientActor, event: FakeLeaderClientEvent): void => {
  if (client.snapshot.status === "active") client.data.supervisor.deliver(client, event)
}
