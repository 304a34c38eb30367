import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type FakeLeaderPeerEvent, fakeLeaderPeerMachine } from "../../machines/fake-leader-peer.machine.ts"
import { standingStates } from "./reached.ts"

const ours: ReadonlyArray<FakeLeaderPeerEvent> = [
  { type: "register", introduction: { clientType: "test", mode: "stdio", version: null } },
  { type: "acp", payload: "{}" },
  { type: "control", requestId: "r", command: {} },
  { type: "ping" },
  { type: "disconnect" },
  { type: "unknown" },
  { type: "garbled" },
  { type: "socket.closed" },
  { type: "leader.closing" }
]

const isOurs = (event: { readonly type: string }): event is FakeLeaderPeerEvent => event.type !== ""

const reached = (without: ReadonlyArray<string>) =>
  new Set(
    getShortestPaths(fakeLeaderPeerMachine, {
      events: [...ours, { type: "xstate.after.registration.fake-leader-peer.registering" }]
        .filter(isOurs)
        .filter(({ type }) => !without.includes(type))
    }).map(({ state }) => JSON.stringify(state.value))
  )

describe("the chart of a client of a fake leader", () => {
  it("reaches each of its states, and no other", () => {
    expect(reached([])).toEqual(standingStates(fakeLeaderPeerMachine))
  })

  it("has nobody registered who did not register", () => {
    expect(reached(["register"])).toEqual(new Set(['"registering"', '"closed"']))
  })
})
