import { expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { gateMachine } from "../../machines/gate.machine.ts"
import { standingStates } from "./reached.ts"

it("the chart of the gate reaches each of its states, and each event leads out of one of them", () => {
  const paths = getShortestPaths(gateMachine, { events: [{ type: "hold" }, { type: "release" }] })

  const reached = new Set(paths.map(({ state }) => JSON.stringify(state.value)))
  expect(reached).toEqual(new Set(['"open"', '"held"']))
  expect(reached).toEqual(standingStates(gateMachine))
  for (const { state } of paths) {
    expect(state.can({ type: "hold" })).toBe(state.value === "open")
    expect(state.can({ type: "release" })).toBe(state.value === "held")
  }
})
