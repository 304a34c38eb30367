import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type FakeLeaderEvent, fakeLeaderMachine } from "../../machines/fake-leader.machine.ts"
import { standingStates } from "./reached.ts"

const ours: ReadonlyArray<FakeLeaderEvent> = [
  { type: "lock.taken" },
  { type: "lock.held" },
  { type: "lock.failed" },
  { type: "peer.serving" },
  { type: "peer.silent" },
  { type: "bound" },
  { type: "bind.failed" },
  { type: "listener.lost" },
  { type: "terminate" },
  { type: "relaunch" },
  { type: "idle" },
  { type: "end", code: 4 },
  { type: "all.closed" }
]

const times = [
  "entry.fake-leader.entering",
  "poll.fake-leader.entering.waiting",
  "readyAfter.fake-leader.serving.starting",
  "grace.fake-leader.serving.relaunching",
  "closeBound.fake-leader.closing"
].map((delay) => ({ type: `xstate.after.${delay}` }))

const isOurs = (event: { readonly type: string }): event is FakeLeaderEvent => event.type !== ""

const paths = (options: { readonly without?: ReadonlyArray<string>; readonly listens?: boolean } = {}) =>
  getShortestPaths(fakeLeaderMachine, {
    input: { listens: options.listens ?? true, readyAfterMs: 300 },
    events: [...ours, ...times].filter(isOurs).filter(({ type }) => options.without?.includes(type) !== true)
  })

const reached = (options: Parameters<typeof paths>[0] = {}) =>
  new Set(paths(options).map(({ state }) => JSON.stringify(state.value)))

describe("the chart of a fake leader", () => {
  it("reaches each of its states, and no other", () => {
    expect(reached()).toEqual(standingStates(fakeLeaderMachine))
  })

  it("serves nobody without the lock, and has nothing to give back then", () => {
    const states = [...reached({ without: ["lock.taken"] })]

    expect(states.filter((state) => !state.includes("entering"))).toEqual(['"ended"'])
  })

  it("serves without a socket when it is not to listen", () => {
    expect(reached({ listens: false }).has('{"binding":"listening"}')).toBe(false)
    expect(reached({ listens: false }).has('{"serving":"ready"}')).toBe(true)
  })

  it("ends with the code that it was given, with 1 when it could not begin, and else with 0", () => {
    const codes = (without: ReadonlyArray<string>) =>
      new Set(paths({ without }).flatMap(({ state }) => (state.value === "ended" ? [state.context.code] : [])))

    expect(codes([])).toEqual(new Set([0, 1, 4]))
    expect(codes(["end", "lock.failed", "bind.failed", "listener.lost", times[0]?.type ?? ""])).toEqual(new Set([0]))
  })
})
