import type { LeaderWorld } from "../leader/leader-world.ts"
import type { OwnedProcess } from "../process/owned-process.ts"
import type { ProcessHost } from "../process/process-host.ts"
import { runOwned } from "../sandbox/run-owned.ts"

/** A world that remembers which processes were started in it. */
export interface TrackedWorld {
  readonly world: LeaderWorld
  /** Kills those that were started, and those that will be. */
  kill(): void
  /** Remembers no more. */
  stop(): void
}

/**
 * The same world for one piece of work, which can so be cut short: killing what it waits for ends it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const trackWorld = (world: LeaderWorld): TrackedWorld => {
  const started = new Set<OwnedProcess>()
  let isKilled = false
  let isTracking = true
  const host: ProcessHost = {
    ...world.host,
    async spawn(options) {
      const process = await world.host.spawn(options)
      if (isKilled) process.startKill()
      if (isTracking) started.add(process)
      return process
    }
  }
  return {
    world: { ...world, host, sandboxes: { ...world.sandboxes, run: runOwned(host) } },
    kill() {
      isKilled = true
      for (const process of started) process.startKill()
    },
    stop() {
      isTracking = false
      started.clear()
    }
  }
}
