import { InvalidOption } from "../../domain/errors.ts"
import { checkOption, shown } from "../../domain/option-checks.ts"
import { detachedLeaderSkip } from "../leader/leader-fixture.ts"
import { leaderHome, waitForPidDeath } from "../leader/leader-home.ts"
import type { LeaderWorld } from "../leader/leader-world.ts"
import { skewLanes } from "../leader/skew-lanes.ts"
import { waitForReplay } from "../leader/wait-for-replay.ts"
import type { AgentProfile } from "../profile/agent-profile.ts"
import { type ProfileChoice, urlOf } from "./api-options.ts"
import { chosenProfile } from "./chosen-profile.ts"
import type { HarnessPorts } from "./harness-ports.ts"
import { type HarnessRoom, openRoom } from "./harness-room.ts"
import type { HarnessRun } from "./harness-run.ts"
import type { CoreScope } from "./harness-scope.ts"
import { noted } from "./noted.ts"
import { optionTables } from "./option-tables.ts"
import { scopeApi } from "./scope-api.ts"
import { trackWorld } from "./tracked-world.ts"

/**
 * Opens a harness in a world, live or simulated.
 *
 * @since 0.1.0
 * @category constructors
 */
export const openHarness = (
  ports: HarnessPorts
): { readonly scope: CoreScope; readonly run: HarnessRun; readonly room: HarnessRoom } => {
  const room = openRoom(ports)
  return {
    room,
    scope: scopeApi(room, room.root),
    run: {
      runId: ports.runId,
      transitions: room.transitions,
      watchTransitions: room.watchTransitions,
      async leaderHome(choice) {
        checkOption(optionTables.home, choice)
        const { profile, ...place } = choice
        return leaderHome(room.world, { ...place, profile: await profileOf(room, profile) })
      },
      async runSkewLane(lane, choice) {
        const run = skewLanes[lane]
        if (run === undefined)
          throw new InvalidOption(`there is no lane ${shown(lane)}; there are ${Object.keys(skewLanes).join(", ")}`)
        checkOption(optionTables.lane, choice)
        const { profile, mock, ...options } = choice
        const mockUrl = mock === undefined ? {} : { mockUrl: urlOf(mock) }
        const found = await profileOf(room, profile)
        return endedWith(room, `lane ${lane} of ${found.id}`, (world) =>
          run(world, { ...options, ...mockUrl, profile: found })
        )
      },
      async waitForReplay(client, since) {
        checkOption(optionTables.replayed, client, "the client")
        checkOption(optionTables.replay, since)
        return waitForReplay(room.world, client, since)
      },
      async waitForPidDeath(pid, timeoutMs) {
        checkOption(optionTables.pid, pid, "pid")
        checkOption(optionTables.ms, timeoutMs, "timeoutMs")
        return waitForPidDeath(room.world, pid, timeoutMs)
      },
      detachedLeaderSkip: () => detachedLeaderSkip(room.world)
    }
  }
}

const profileOf = ({ world }: HarnessRoom, profile: ProfileChoice): Promise<AgentProfile> =>
  chosenProfile(profile, world.sandboxes)

/** Runs something that ends all that it starts; when the harness closes before that, it is cut short. */
const endedWith = async <A>(room: HarnessRoom, name: string, work: (world: LeaderWorld) => Promise<A>): Promise<A> => {
  const tracked = trackWorld(room.world)
  const { value, forget } = await noted(room, () =>
    room.root.acquire(name, {
      start: () => work(tracked.world),
      release: async () => {},
      interrupt: tracked.kill,
      boundMs: laneReleaseMs
    })
  )
  forget()
  return value
}

/** Killed clients and leaders fail what waits for them at once; then each is waited for. */
const laneReleaseMs = 60_000
