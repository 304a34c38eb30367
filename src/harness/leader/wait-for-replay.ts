import type { LeaderClient } from "./leader-client.ts"
import { scaledPolling } from "./leader-home.ts"
import type { LeaderWorld } from "./leader-world.ts"
import { pollUntil } from "./poll.ts"
import type { ReplaySince } from "./replay-since.ts"

/**
 * Looks every 100 ms until a client has found a leader again, or has been told more than before.
 *
 * **Gives** whether it has
 * **Source** agent-harness.md, section 5.4
 *
 * @since 0.1.0
 * @category time
 */
export const waitForReplay = async (
  world: LeaderWorld,
  client: Pick<LeaderClient, "reconnectedCount" | "notificationCount">,
  { baseline, since = 0, timeoutMs }: ReplaySince
): Promise<boolean> => {
  const look = (): true | null =>
    client.reconnectedCount() > since || client.notificationCount() > baseline ? true : null
  return (await pollUntil(world.clock, scaledPolling(world, "waitForReplay", timeoutMs), look)) ?? false
}
