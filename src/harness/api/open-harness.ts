import { detachedLeaderSkip } from "../leader/leader-fixture.ts"
import { leaderHome, waitForPidDeath } from "../leader/leader-home.ts"
import { waitForReplay } from "../leader/wait-for-replay.ts"
import { loadProfile } from "../profile/load-profile.ts"
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
      leaderHome: async ({ profile, ...place }) => {
        const { parent, files } = room.world.sandboxes
        const found = typeof profile === "string" ? await loadProfile(profile, { parent, files }) : profile
        return leaderHome(room.world, { ...place, profile: found })
      },
      waitForReplay: (client, since) => waitForReplay(room.world, client, since),
      waitForPidDeath: (pid, timeoutMs) => waitForPidDeath(room.world, pid, timeoutMs),
      detachedLeaderSkip: () => detachedLeaderSkip(room.world)
    }
  }
}
