import { basename, dirname, extname, join } from "node:path"
import { ownLeaderOptions as options } from "./fake-leader-options.ts"
import type { GivenOptions } from "./option-table.ts"

/** Where a leader has its files. Source: agent-harness.md, section 5.1. */
export interface LeaderPlaces {
  readonly home: string
  readonly socket: string
  /** Beside the socket, whatever that is called. */
  readonly lock: string
  /** What a leader writes to stderr, when a client has started it. */
  readonly log: string
  readonly events: string
}

export const leaderPlaces = (given: GivenOptions): LeaderPlaces => {
  const asked = given.value(options["leader-socket"])
  const home = given.value(options.home) ?? dirname(asked ?? "")
  const socket = asked ?? join(home, "leader.sock")
  return {
    home,
    socket,
    lock: join(dirname(socket), `${basename(socket, extname(socket))}.lock`),
    log: join(home, "leader.log"),
    events: join(home, "logs", "unified.jsonl")
  }
}
