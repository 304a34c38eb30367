import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type ProcessHostEvent, processHostMachine } from "../../machines/process-host.machine.ts"
import { standingStates } from "./reached.ts"

const pause = "xstate.after.sweepPause.process-host.sweeping.pausing"

const ours: ReadonlyArray<ProcessHostEvent> = [
  { type: "close" },
  { type: "processes.over" },
  { type: "sweep.empty" },
  { type: "sweep.found", found: [{ pid: 43, startTime: "1", spawnId: 1 }] },
  { type: "run.ended" }
]

const isOurs = (event: { readonly type: string }): event is ProcessHostEvent => event.type !== ""

const paths = (without: ReadonlyArray<string> = []) =>
  getShortestPaths(processHostMachine, {
    events: [...ours, { type: pause }].filter(isOurs).filter(({ type }) => !without.includes(type))
  })

const reached = (without: ReadonlyArray<string> = []) =>
  new Set(paths(without).map(({ state }) => JSON.stringify(state.value)))

describe("the chart of a host of processes", () => {
  it("reaches each of its states, and no other", () => {
    expect(reached()).toEqual(standingStates(processHostMachine))
  })

  it("stays open until it is closed, and sweeps only when its processes are over", () => {
    expect(reached(["close"])).toEqual(new Set(['"open"']))
    expect(reached(["processes.over"])).toEqual(new Set(['"open"', '"closing"']))
  })

  it("is closed whatever it finds, after five rounds at most", () => {
    const rounds = paths(["sweep.empty"]).flatMap(({ state }) => (state.value === "closed" ? [state.context] : []))

    expect(rounds.map(({ sweepRounds, strays, leftovers }) => [sweepRounds, strays.length, leftovers.length])).toEqual([
      [5, 1, 1]
    ])
  })
})
