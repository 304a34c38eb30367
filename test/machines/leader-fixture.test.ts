import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type LeaderFixtureEvent, leaderFixtureMachine } from "../../machines/leader-fixture.machine.ts"
import { standingStates } from "./reached.ts"

const ours: ReadonlyArray<LeaderFixtureEvent> = [
  { type: "spawned" },
  { type: "spawn.failed" },
  { type: "look.found" },
  { type: "look.failed" },
  { type: "leader.exited", status: { code: 4, signal: null } },
  { type: "client.registered" },
  { type: "client.released" },
  { type: "kill" },
  { type: "reap" },
  { type: "close" },
  { type: "contain" },
  { type: "disposed" },
  { type: "leader.observed", pid: 43 },
  { type: "reap.done" },
  { type: "reap.failed" },
  { type: "stop.done" },
  { type: "stop.failed" },
  { type: "sweep.empty" },
  { type: "sweep.found", found: [{ pid: 43, startTime: "1", spawnId: 1 }] }
]

/** What the supervisor delivers when a delay is over; no events of ours, so they are not in the type of the chart. */
const delays = [
  "xstate.after.readiness.leader-fixture.starting",
  "xstate.after.poll.leader-fixture.starting.pausing",
  "xstate.after.sweepPause.leader-fixture.sweeping.pausing"
]

const isOurs = (event: { readonly type: string }): event is LeaderFixtureEvent => event.type !== ""

const paths = (without: ReadonlyArray<string> = []) =>
  getShortestPaths(leaderFixtureMachine, {
    input: { readyMs: 500 },
    events: [...ours, ...delays.map((type) => ({ type }))].filter(isOurs).filter(({ type }) => !without.includes(type)),
    stopWhen: ({ context }) => context.registrations > 1 || context.sweepRounds > 1
  })

const dotted = (value: unknown): string => JSON.stringify(value).replaceAll(/[{}"]/g, "").replaceAll(":", ".")

const reached = (without: ReadonlyArray<string> = []) => new Set(paths(without).map(({ state }) => dotted(state.value)))

describe("the chart of a leader fixture", () => {
  it("reaches each of its states, and no other", () => {
    const standing = [...standingStates(leaderFixtureMachine)].map((state) => dotted(JSON.parse(state)))

    expect([...reached()].sort()).toEqual(standing.sort())
  })

  it("is ready only when somebody found it serving", () => {
    expect(reached(["look.found"]).has("ready")).toBe(false)
  })

  it("is closed only when it was stopped or reaped, and nothing was found to be left", () => {
    expect(reached(["stop.done", "reap.done"]).has("closed")).toBe(false)
    expect(reached(["sweep.empty", "sweep.found"]).has("closed")).toBe(false)
  })

  it("is never closed by a test while it has clients", () => {
    for (const { state, steps } of paths(["disposed"])) {
      if (state.value !== "closed") continue
      const count = (type: string): number => steps.filter(({ event }) => event.type === type).length
      expect(count("client.released")).toBeGreaterThanOrEqual(count("client.registered"))
    }
  })

  it("takes clients whenever it was ready and is not being closed", () => {
    const counted = paths().filter(({ state }) => state.context.registrations > 0)

    for (const state of ["ready", "crashed", "lost", "reaping", "leaderless"])
      expect(counted.some((path) => path.state.value === state)).toBe(true)
  })
})
