import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type FakeLeaderClientEvent, fakeLeaderClientMachine } from "../../machines/fake-leader-client.machine.ts"
import { standingStates } from "./reached.ts"

const ours: ReadonlyArray<FakeLeaderClientEvent> = [
  { type: "conn.opened" },
  { type: "conn.failed" },
  { type: "conn.lost" },
  { type: "lock.free" },
  { type: "lock.held" },
  { type: "lock.changed" },
  { type: "lock.failed" },
  { type: "spawn.failed" },
  { type: "holder.gone" },
  { type: "holder.there" },
  { type: "registered", isOlder: false, isReady: true },
  { type: "registered", isOlder: false, isReady: false },
  { type: "registered", isOlder: true, isReady: true },
  { type: "leader.ready" },
  { type: "refused" },
  { type: "heard" },
  { type: "replay.answered" },
  { type: "replay.over" },
  { type: "line", text: "{}" },
  { type: "input.ended" }
]

const times = [
  "unreachable.fake-leader-client.seeking",
  "poll.fake-leader-client.seeking.pausing",
  "spawnWait.fake-leader-client.spawning",
  "poll.fake-leader-client.spawning.pausing",
  "registration.fake-leader-client.registering",
  "readiness.fake-leader-client.awaiting",
  "grace.fake-leader-client.evicting",
  "poll.fake-leader-client.evicting.pausing",
  "replayBound.fake-leader-client.replaying",
  "silence.fake-leader-client.replaying.asking.waiting",
  "reconnectDelay.fake-leader-client.reconnecting"
].map((delay) => ({ type: `xstate.after.${delay}` }))

const isOurs = (event: { readonly type: string }): event is FakeLeaderClientEvent => event.type !== ""

const paths = (options: { readonly without?: ReadonlyArray<string>; readonly evictsUnreachable?: boolean } = {}) =>
  getShortestPaths(fakeLeaderClientMachine, {
    input: { reconnectDelayMs: 1_000, evictsUnreachable: options.evictsUnreachable ?? true },
    events: [...ours, ...times].filter(isOurs).filter(({ type }) => options.without?.includes(type) !== true),
    stopWhen: ({ context }) => context.evictions > 3
  })

const reached = (options: Parameters<typeof paths>[0] = {}) =>
  new Set(paths(options).map(({ state }) => JSON.stringify(state.value)))

describe("the chart of a client of a fake leader", () => {
  it("reaches each of its states, and no other", () => {
    expect(reached()).toEqual(standingStates(fakeLeaderClientMachine))
  })

  it("says things again only when it had a leader, and gives up at once when it had none", () => {
    for (const { state } of paths()) {
      if (typeof state.value === "object" && "replaying" in state.value) expect(state.context.wasConnected).toBe(true)
    }
    const never = paths({ without: ["registered", "conn.lost"] })
    expect(never.some(({ state }) => state.value === "reconnecting")).toBe(false)
    expect(never.some(({ state }) => state.value === "failed")).toBe(true)
  })

  it("starts three leaders at most, and looks for one again five times at most", () => {
    const contexts = paths().map(({ state }) => state.context)

    expect(Math.max(...contexts.map(({ spawns }) => spawns))).toBe(3)
    expect(Math.max(...contexts.map(({ reconnects }) => reconnects))).toBe(5)
  })

  it("ends nobody that cannot be reached where it may not, but always one of an older version", () => {
    const isEvicting = (state: string): boolean => state.includes("evicting")

    expect([...reached({ evictsUnreachable: false })].some(isEvicting)).toBe(true)
    expect([...reached({ evictsUnreachable: false, without: ["registered"] })].some(isEvicting)).toBe(false)
  })
})
