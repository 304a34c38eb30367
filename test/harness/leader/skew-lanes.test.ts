import { realpathSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { makeLeaderStage, plainLeader, simLeaderProfile } from "../../../properties/observation/leader-stage.ts"
import type { SkewLane } from "../../../src/harness/leader/skew-lane.ts"
import {
  leaderRelaunches,
  newClientEvictsOldLeader,
  oldClientAdoptsNewLeader,
  oneLeaderIsLeft
} from "../../../src/harness/leader/skew-lanes.ts"
import { builtInProfile } from "../../../src/harness/profile/built-in-profiles.ts"
import { withHarness } from "../../../src/harness.ts"
import { fixtureLeader } from "./fixture-leader.ts"

const { cli, profile, world } = fixtureLeader()

const older = ["--binary-version", "1.0.0"]
const newer = ["--binary-version", "2.0.0"]

/**
 * Two versions of the fixture leader. Clients wait their usual second before they look for another leader: those of the old version
 * would else start one again and again that the newer client has to replace, which gives up after three.
 */
const lane = (versions: Pick<SkewLane, "leaderArgs" | "clientArgs">): SkewLane => ({ profile, ...versions })

describe("two editions at one socket (71)", () => {
  it("a newer client replaces the leader, whose clients go on", async () => {
    const live = world()

    const outcome = await newClientEvictsOldLeader(live, lane({ leaderArgs: older, clientArgs: newer }))

    expect(outcome).toMatchObject({ kind: "passed", leaders: [expect.any(Number), expect.any(Number)] })
    expect(live.host.alive()).toEqual([])
  })

  it("an older client works with the leader that is there", async () => {
    const outcome = await oldClientAdoptsNewLeader(world(), lane({ leaderArgs: newer, clientArgs: older }))

    expect(outcome).toMatchObject({ kind: "passed", leaders: [expect.any(Number)] })
  })

  it("a leader that is told of a newer version makes room for it", async () => {
    const outcome = await leaderRelaunches(world(), lane({ leaderArgs: older, clientArgs: newer }))

    expect(outcome).toMatchObject({ kind: "passed", leaders: [expect.any(Number), expect.any(Number)] })
  })

  it("a leader that does not say that it can relaunch is not asked to", async () => {
    const live = world()
    const leaderArgs = [...older, "--caps", "control_v1"]

    const outcome = await leaderRelaunches(live, lane({ leaderArgs, clientArgs: newer }))

    expect(outcome).toEqual({ kind: "skipped", reason: "SKIP: the leader does not say relaunch_v1" })
    expect(live.told).toContain("SKIP: the leader does not say relaunch_v1")
  })

  it("one leader is left when one was replaced", async () => {
    const outcome = await oneLeaderIsLeft(world(), lane({ leaderArgs: older, clientArgs: newer }))

    expect(outcome.kind).toBe("passed")
  })

  it("fails when the leader is replaced that was to be adopted", async () => {
    const adopting = oldClientAdoptsNewLeader(world(), lane({ leaderArgs: older, clientArgs: newer }))
    await expect(adopting).rejects.toThrow(/^the leader \d+ was replaced/)
  })
})

describe("by the public entry", () => {
  it("a lane is run by its name, and nothing of it is left", async () => {
    const options = { variables: { FIXTURE_AGENT_BINARY: cli }, timing: false }

    await withHarness(async (harness) => {
      const versions = { leaderArgs: newer, clientArgs: older }
      const mock = await harness.startMock()
      const outcome = await harness.runSkewLane("old client adopts new leader", {
        profile: "fixture",
        mock,
        ...versions
      })

      expect(outcome.kind).toBe("passed")
      const unknown: unknown = "another"
      await expect(Reflect.apply(harness.runSkewLane, harness, [unknown, { profile: "fixture" }])).rejects.toThrow(
        'there is no lane "another"; there are new client evicts old leader, '
      )
    }, options)
  })
})

describe("one edition", () => {
  it("is no lane, and says which binary both are", async () => {
    const live = world()
    const reason = `SKIP: FIXTURE_LEADER_BINARY/FIXTURE_CLIENT_BINARY resolve to the same binary (${realpathSync(cli)})`

    for (const run of [newClientEvictsOldLeader, oldClientAdoptsNewLeader, leaderRelaunches, oneLeaderIsLeft])
      expect(await run(live, { profile })).toEqual({ kind: "skipped", reason })
    expect(live.told).toEqual([reason, reason, reason, reason])
  })

  it("names the variables of grok", async () => {
    const grok = world({ GROK_BINARY_LEADER: process.execPath, GROK_BINARY_CLIENT: process.execPath })

    expect(await newClientEvictsOldLeader(grok, { profile: builtInProfile("grok") })).toEqual({
      kind: "skipped",
      reason: `SKIP: GROK_BINARY_LEADER/GROK_BINARY_CLIENT resolve to the same binary (${realpathSync(process.execPath)})`
    })
  })

  it("is no lane either where detached leaders cannot be contained", async () => {
    const stage = makeLeaderStage({ leader: plainLeader }, { showsMarks: false })

    expect(await newClientEvictsOldLeader(stage.world, { profile: simLeaderProfile })).toEqual({
      kind: "skipped",
      reason: "detached leader cannot be contained here"
    })
  })
})
