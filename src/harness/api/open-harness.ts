import { InvalidOption } from "../../domain/errors.ts"
import { describe } from "../../domain/json.ts"
import { detachedLeaderSkip } from "../leader/leader-fixture.ts"
import { leaderHome, waitForPidDeath } from "../leader/leader-home.ts"
import { skewLanes } from "../leader/skew-lanes.ts"
import { waitForReplay } from "../leader/wait-for-replay.ts"
import type { AgentProfile } from "../profile/agent-profile.ts"
import { loadProfile } from "../profile/load-profile.ts"
import { type ProfileChoice, urlOf } from "./api-options.ts"
import type { HarnessPorts } from "./harness-ports.ts"
import { type HarnessRoom, openRoom } from "./harness-room.ts"
import type { HarnessRun } from "./harness-run.ts"
import type { CoreScope } from "./harness-scope.ts"
import { scopeApi } from "./scope-api.ts"

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
      leaderHome: async ({ profile, ...place }) =>
        leaderHome(room.world, { ...place, profile: await profileOf(room, profile) }),
      async runSkewLane(lane, { profile, mock, ...options }) {
        const run = skewLanes[lane]
        if (run === undefined)
          throw new InvalidOption(`there is no lane ${describe(lane)}; there are ${Object.keys(skewLanes).join(", ")}`)
        const mockUrl = mock === undefined ? {} : { mockUrl: urlOf(mock) }
        return run(room.world, { ...options, ...mockUrl, profile: await profileOf(room, profile) })
      },
      waitForReplay: (client, since) => waitForReplay(room.world, client, since),
      waitForPidDeath: (pid, timeoutMs) => waitForPidDeath(room.world, pid, timeoutMs),
      detachedLeaderSkip: () => detachedLeaderSkip(room.world)
    }
  }
}

const profileOf = async ({ world }: HarnessRoom, profile: ProfileChoice): Promise<AgentProfile> => {
  const { parent, files } = world.sandboxes
  return typeof profile === "string" ? loadProfile(profile, { parent, files }) : profile
}
