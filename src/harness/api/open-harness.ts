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
    run: { runId: ports.runId, transitions: room.transitions }
  }
}
