import { describe, expect, it } from "vitest"
import { type AnyStateMachine, createMachine } from "xstate"
import { type Chart, compileChart, type Step } from "../../src/supervisor/chart.ts"
import { compileTable } from "../../src/supervisor/chart-compiler.ts"
import { startTable, stepTable } from "../../src/supervisor/chart-stepper.ts"

/** A chart whose one state has the given transitions. */
const withTransitions = (
  on: Record<string, { readonly actions: string }>,
  actions: Record<string, () => void>
): AnyStateMachine => createMachine({ id: "wild", initial: "a", states: { a: { on } } }, { actions })

/** Starts a chart and delivers events of the given types. */
const run = (chart: Chart<AnyStateMachine>, ...types: ReadonlyArray<string>): Step<AnyStateMachine> =>
  types.reduce((step, type) => chart.step(step.snapshot, { type }), chart.start(undefined))

const listed = (step: Step<AnyStateMachine>): ReadonlyArray<string> => step.actions.map((action) => action.type)

const noop = (): void => {}

describe("wildcards", () => {
  const names = ["exact", "long", "short", "any"]
  const chart = compileChart(
    withTransitions(
      {
        "*": { actions: "any" },
        "replay.*": { actions: "short" },
        "replay.a.*": { actions: "long" },
        "replay.a.b": { actions: "exact" }
      },
      Object.fromEntries(names.map((name) => [name, noop]))
    )
  )

  it.each([
    ["replay.a.b", "exact"],
    ["replay.a.c", "long"],
    ["replay.a", "long"],
    ["replay.b", "short"],
    ["replay", "short"],
    ["replayed", "any"],
    ["xstate.after.5.wild.b", "any"],
    ["xstate.done.state.wild.b", "any"]
  ])("take %s to the action `%s`", (type, action) => {
    expect(listed(run(chart, type))).toEqual([action])
  })

  it("of a state come before anything of its parents", () => {
    const machine = createMachine(
      { initial: "a", on: { x: { actions: "outer" } }, states: { a: { on: { "*": { actions: "inner" } } } } },
      { actions: { outer: noop, inner: noop } }
    )

    expect(listed(run(compileChart(machine), "x"))).toEqual(["inner"])
  })

  it("leave nothing behind for types never seen before", () => {
    const table = compileTable(withTransitions({ "a.*": { actions: "look" } }, { look: noop }))
    const start = startTable(table, undefined)

    for (let n = 0; n < 100; n++) expect(stepTable(table, start.snapshot, { type: `a.${n}` }).handled).toBe(true)

    expect([...(table.leaves.get("a")?.rows.keys() ?? [])]).toEqual(["a.*"])
  })
})
