import type { AgentProfile } from "../profile/agent-profile.ts"
import { type LeaderRole, leaderBinary } from "./leader-binary.ts"
import type { LeaderClient } from "./leader-client.ts"
import type { LeaderFixture } from "./leader-fixture.ts"
import type { LeaderWorld } from "./leader-world.ts"
import type { LaneOutcome, SkewLane } from "./skew-lane.ts"
import { startLeader } from "./start-leader.ts"
import { withLeader } from "./with-leader.ts"

/** What a lane works with. */
export interface LaneRun {
  readonly world: LeaderWorld
  readonly fixture: LeaderFixture
  /** Starts a client of an edition, and initializes it. */
  client(edition: LeaderRole): Promise<LeaderClient>
}

interface Edition {
  readonly binary: string
  readonly args: ReadonlyArray<string>
}

/**
 * Runs a lane with a leader of the first edition; what is left of it is ended.
 *
 * **Gives** that it was skipped, and says so, when both editions are one, or a leader of a client could not be contained here
 * **Fails** with what the lane fails with, and as `withLeader` does
 */
export const runLane = async (
  world: LeaderWorld,
  lane: SkewLane,
  body: (run: LaneRun) => Promise<LaneOutcome>
): Promise<LaneOutcome> => {
  const skip = (reason: string): LaneOutcome => {
    world.sandboxes.tell(reason)
    return { kind: "skipped", reason }
  }
  if (!world.host.findsStrays) return skip("detached leader cannot be contained here")
  const editions = await editionsOf(world, lane)
  if ("same" in editions) return skip(sameText(lane.profile, editions.same))
  const { profile, mockUrl, baseUrl, env = {} } = lane
  const fixture = await startLeader(world, {
    profile,
    ...editions.leader,
    env,
    ...(mockUrl === undefined ? {} : { mockUrl }),
    ...(baseUrl === undefined ? {} : { baseUrl })
  })
  const ended = withLeader(fixture, () =>
    body({
      world,
      fixture,
      async client(edition) {
        const client = await fixture.spawnClient({ ...editions[edition], env })
        await client.initialize()
        return client
      }
    })
  )
  const outcome = await ended.finally(() =>
    // Of one that was contained the sandbox is left.
    fixture[Symbol.asyncDispose]().catch((error: unknown) => fixture.tell(`warning: ${String(error)}`))
  )
  return outcome.kind === "skipped" ? skip(outcome.reason) : outcome
}

/** The two editions, or the file that both are. */
const editionsOf = async (
  { sandboxes }: LeaderWorld,
  lane: SkewLane
): Promise<Readonly<Record<LeaderRole, Edition>> | { readonly same: string }> => {
  const find = async (role: LeaderRole, path: string | undefined): Promise<string> => {
    const found = await leaderBinary(sandboxes, lane.profile, { role, path })
    return (await sandboxes.files.realPath(found.path)) ?? found.path
  }
  const leader = { binary: await find("leader", lane.leaderBinary), args: lane.leaderArgs ?? [] }
  const client = { binary: await find("client", lane.clientBinary), args: lane.clientArgs ?? [] }
  const isSame = leader.binary === client.binary && JSON.stringify(leader.args) === JSON.stringify(client.args)
  return isSame ? { same: leader.binary } : { leader, client }
}

const sameText = ({ binary }: AgentProfile, path: string): string => {
  const { leader = "leader", client = "client" } = binary.roleEnv
  return `SKIP: ${leader}/${client} resolve to the same binary (${path})`
}
