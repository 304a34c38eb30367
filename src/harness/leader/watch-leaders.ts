import { leaderGenerationMachine } from "../../../machines/leader-generation.machine.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../../supervisor/supervisor.ts"
import type { LeaderHome } from "./leader-files.ts"
import type { LeaderWatch } from "./leader-generation.ts"
import type { LeaderWorld } from "./leader-world.ts"

interface WatchData {
  readonly supervisor: Supervisor
  readonly home: Pick<LeaderHome, "readLeaderPid">
  readonly pidAlive: (pid: number) => boolean
  readonly seen: Array<number>
  isReading: boolean
}

type WatchActor = Actor<typeof leaderGenerationMachine, WatchData>

const seenMax = 1_000

const kind = actorKind<typeof leaderGenerationMachine, WatchData>(
  compileChart(leaderGenerationMachine),
  {
    readLock: (_, watch) => readLock(watch),
    publish(_, { data, snapshot }) {
      const { pid } = snapshot.context
      if (pid !== null && snapshot.state === "live" && data.seen.at(-1) !== pid) data.seen.push(pid)
      if (data.seen.length > seenMax) data.seen.shift()
    }
  },
  { isGuard: true }
)

/**
 * Begins to watch a lock file.
 *
 * @since 0.1.0
 * @category constructors
 */
export const watchLeaders = (
  { supervisor, host }: Pick<LeaderWorld, "supervisor" | "host">,
  home: Pick<LeaderHome, "readLeaderPid">
): LeaderWatch => {
  const data: WatchData = { supervisor, home, pidAlive: host.pidAlive, seen: [], isReading: false }
  const watch = supervisor.spawn(kind, undefined, data)
  readLock(watch)
  return {
    pid: () => (watch.snapshot.state === "live" ? watch.snapshot.context.pid : null),
    generation: () => watch.snapshot.context.generation,
    seen: () => [...data.seen],
    stop() {
      if (watch.snapshot.status === "active") supervisor.deliver(watch, { type: "stopped" })
    }
  }
}

/** One look at a time, so that no old answer comes behind a newer one. */
const readLock = (watch: WatchActor): void => {
  const { data } = watch
  if (data.isReading) return
  data.isReading = true
  data.home.readLeaderPid().then((pid) => {
    data.isReading = false
    if (watch.snapshot.status !== "active") return
    data.supervisor.deliver(watch, { type: "lock.read", pid, isAlive: pid !== null && data.pidAlive(pid) })
  })
}
