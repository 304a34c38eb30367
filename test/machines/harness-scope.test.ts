import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type HarnessScopeEvent, harnessScopeMachine } from "../../machines/harness-scope.machine.ts"
import { standingStates } from "./reached.ts"

const bound = "xstate.after.bound.harness-scope.closing.releasing"

const ours: ReadonlyArray<HarnessScopeEvent> = [
  { type: "close" },
  { type: "resource.next", number: 2, boundMs: 5 },
  { type: "scope.next", number: 1 },
  { type: "none.left" },
  { type: "released", number: 1 },
  { type: "released", number: 2 },
  { type: "check.over" }
]

const isOurs = (event: { readonly type: string }): event is HarnessScopeEvent => event.type !== ""

const reached = (without: ReadonlyArray<string> = []) =>
  new Set(
    getShortestPaths(harnessScopeMachine, {
      events: [...ours, { type: bound }].filter(isOurs).filter(({ type }) => !without.includes(type))
    }).map(({ state }) => JSON.stringify(state.value))
  )

describe("the chart of a scope", () => {
  it("reaches each of its states, and no other", () => {
    expect(reached()).toEqual(standingStates(harnessScopeMachine))
  })

  it("stays open until it is closed, and is closed only when nothing is left and that was looked at", () => {
    expect(reached(["close"])).toEqual(new Set(['"open"']))
    expect(reached(["none.left"])).not.toContain('"checking"')
    expect(reached(["check.over"])).not.toContain('"closed"')
  })

  it("leaves a resource when it is released or its bound is over, and an inner scope only when that is gone", () => {
    const afterOne = (events: ReadonlyArray<string>): boolean =>
      getShortestPaths(harnessScopeMachine, {
        events: [...ours, { type: bound }].filter(isOurs).filter(({ type }) => events.includes(type))
      }).some(({ state }) => state.value === "checking")

    expect(afterOne(["close", "resource.next", "none.left"])).toBe(true)
    expect(reached(["released", bound])).toContain('{"closing":"leaving"}')
  })
})
