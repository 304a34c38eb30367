import { delayMsMax } from "../../domain/durations.ts"
import { InvalidOption } from "../../domain/errors.ts"
import { helperPollMs, pidMax } from "../../domain/leader-limits.ts"
import type { LeaderEvents, LeaderHome } from "./leader-files.ts"
import { type LeaderPlace, leaderPaths } from "./leader-paths.ts"
import type { LeaderWorld } from "./leader-world.ts"
import { pollUntil } from "./poll.ts"

/**
 * The files of the leader in a home.
 *
 * **Fails** with `ProfileInvalid` for an agent without a leader
 *
 * @since 0.1.0
 * @category constructors
 */
export const leaderHome = (world: LeaderWorld, place: LeaderPlace): LeaderHome => {
  const { files, parent } = world.sandboxes
  const paths = leaderPaths(place, parent.platform)
  const textOf = (path: string): Promise<string> => files.readText(path).catch(() => "")
  const readLeaderPid = async (): Promise<number | null> => leaderPidIn(await textOf(paths.lock))
  return {
    paths,
    readLeaderPid,
    waitForLiveLeader: async (timeoutMs) =>
      pollUntil(world.clock, scaledPolling(world, "waitForLiveLeader", timeoutMs), async () => {
        const pid = await readLeaderPid()
        return pid !== null && world.host.pidAlive(pid) ? pid : null
      }),
    leaderLog: () => textOf(paths.log),
    leaderEvents: async () => eventsIn(await textOf(paths.events)),
    lockHolder: () => world.locks.holder(paths.lock)
  }
}

/**
 * The number that a lock file holds: decimal digits, white space around them allowed.
 *
 * **Gives** `null` for anything else, and for a number that no process can have
 *
 * @since 0.1.0
 * @category encoding
 */
export const leaderPidIn = (text: string): number | null => {
  const digits = /^\s*([0-9]+)\s*$/.exec(text)?.[1]
  const pid = digits === undefined ? 0 : Number(digits)
  return pid >= 1 && pid <= pidMax ? pid : null
}

const eventsIn = (text: string): LeaderEvents => {
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const events = lines.flatMap((line): ReadonlyArray<unknown> => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })
  return { events, skipped: lines.length - events.length }
}

/**
 * Looks every 100 ms until no process runs under a number; whether that came to be, before the timeout scale.
 *
 * @since 0.1.0
 * @category time
 */
export const waitForPidDeath = async (world: LeaderWorld, pid: number, timeoutMs: number): Promise<boolean> => {
  const polling = scaledPolling(world, "waitForPidDeath", timeoutMs)
  return (await pollUntil(world.clock, polling, () => (world.host.pidAlive(pid) ? null : true))) ?? false
}

/** **Fails** with `InvalidOption` for what is no time. */
export const scaledPolling = (world: LeaderWorld, what: string, timeoutMs: number, everyMs = helperPollMs) => {
  if (!(timeoutMs >= 0 && timeoutMs <= delayMsMax))
    throw new InvalidOption(`${what} was given ${timeoutMs}; give milliseconds from 0 to ${delayMsMax}`)
  return { everyMs, timeoutMs: Math.min(delayMsMax, timeoutMs * world.timeoutScale()) }
}
