import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type LeaderIpcEvent, leaderIpcMachine } from "../../machines/leader-ipc.machine.ts"
import { standingStates } from "./reached.ts"

const ours: ReadonlyArray<LeaderIpcEvent> = [
  { type: "connected" },
  { type: "connect.failed", isFinal: true },
  { type: "connect.failed", isFinal: false },
  { type: "registered", isReady: true },
  { type: "registered", isReady: false },
  { type: "ready" },
  { type: "refused" },
  { type: "shutting.down", reason: "manual" },
  { type: "shutdown" },
  { type: "message", message: { kind: "pong" } },
  { type: "broken" },
  { type: "lost" },
  { type: "disconnect" },
  { type: "farewell.left" }
]

const timers: ReadonlyArray<string> = [
  "xstate.after.attemptBound.leader-ipc.connecting.attempting",
  "xstate.after.gap.leader-ipc.connecting.pausing",
  "xstate.after.registerBound.leader-ipc.connected.registering",
  "xstate.after.readyBound.leader-ipc.connected.waiting",
  "xstate.after.pingGap.leader-ipc.connected.open.idle",
  "xstate.after.farewellBound.leader-ipc.leaving"
]

/** No event of ours, so it is not in the type of the chart. */
const isOurs = (event: { readonly type: string }): event is LeaderIpcEvent => event.type !== ""

const paths = () =>
  getShortestPaths(leaderIpcMachine, { events: [...ours, ...timers.map((type) => ({ type }))].filter(isOurs) })

describe("the chart of a connection to a leader", () => {
  it("reaches each of its states, and no other", () => {
    const reached = new Set(paths().map(({ state }) => JSON.stringify(state.value)))

    expect([...reached].sort()).toEqual([...standingStates(leaderIpcMachine)].sort())
  })

  it("tries four times to connect, at most", () => {
    expect(Math.max(...paths().map(({ state }) => state.context.attempts))).toBe(4)
  })

  it("has an end exactly when it has ended or says goodbye", () => {
    for (const { state } of paths()) {
      const isOver = state.value === "ended" || state.value === "leaving"
      expect([state.value, state.context.end !== null]).toEqual([state.value, isOver])
    }
  })

  it("says goodbye only where it was connected and has enough of itself", () => {
    const goodbyes = paths().filter(({ state }) => state.value === "leaving")

    expect(new Set(goodbyes.map(({ state }) => state.context.end))).toEqual(new Set(["disconnected"]))
    for (const { steps } of goodbyes) expect(steps.map(({ event }) => event.type)).toContain("connected")
  })
})
