import { describe, expect, it } from "vitest"
import {
  type AnyStateMachine,
  and,
  assign,
  createMachine,
  emit,
  enqueueActions,
  fromPromise,
  log,
  raise,
  sendTo,
  spawnChild,
  stateIn
} from "xstate"
import { compileChart } from "../../src/supervisor/chart.ts"
import { UnsupportedChart } from "../../src/supervisor/unsupported-chart.ts"

const refusalOf = (machine: AnyStateMachine): UnsupportedChart => {
  try {
    compileChart(machine)
  } catch (error) {
    if (error instanceof UnsupportedChart) return error
    throw error
  }
  throw new Error("compiled")
}

/** A chart whose state `a` has the given definition. */
const withState = (a: Record<string, unknown>, implementations: Record<string, unknown> = {}): AnyStateMachine =>
  createMachine({ id: "bad", initial: "a", states: { a, b: {} } }, implementations)

const noop = (): void => {}

describe("compileChart refuses", () => {
  const cases: ReadonlyArray<readonly [construct: string, machine: AnyStateMachine]> = [
    ["a parallel state", withState({ type: "parallel", states: { x: {}, y: {} } })],
    ["a history state", withState({ initial: "x", states: { x: {}, h: { type: "history" } } })],
    ["invoke", withState({ invoke: { src: fromPromise(async () => 1) } })],
    ["spawnChild", withState({ entry: spawnChild(fromPromise(async () => 1)) })],
    ["enqueueActions", withState({ entry: enqueueActions(noop) })],
    ["sendTo", withState({ on: { go: { actions: sendTo("other", { type: "x" }) } } })],
    ["emit", withState({ exit: emit({ type: "x" }) })],
    ["log", withState({ entry: log("x") })],
    ["sendTo", withState({ entry: "named" }, { actions: { named: sendTo("other", { type: "x" }) } })],
    ["stateIn", withState({ on: { go: { guard: stateIn("a"), target: "b" } } })],
    ["an inline action", withState({ entry: noop })],
    ["an inline guard", withState({ always: { guard: () => true, target: "b" } })],
    ["an inline guard", withState({ on: { go: { guard: and([() => true]), target: "b" } } })],
    ["a transition with several targets", withState({ on: { go: { target: ["a", "b"] } } })],
    ["a delayed raise without id", withState({ entry: raise({ type: "x" }, { delay: 5 }) })],
    ['unknown guard "isReady"', withState({ on: { go: { guard: "isReady", target: "b" } } })],
    ['unknown guard "isReady"', withState({ always: { guard: and([{ type: "isReady" }]), target: "b" } })],
    ['unknown action "publish"', withState({ entry: "publish" })],
    ['unknown action "toString"', withState({ entry: { type: "toString" } })],
    ['unknown delay "deadline"', withState({ after: { deadline: "b" } })],
    ['unknown delay "soon"', withState({ entry: Object.assign(raise({ type: "x" }, { id: "x" }), { delay: "soon" }) })],
    ['delay "soon" that is no number', withState({ after: { soon: "b" } }, { delays: { soon: "1s" } })],
    [
      'guard "isIt" that contains itself',
      withState({ always: { guard: "isIt" } }, { guards: { isIt: and(["isIt"]) } })
    ],
    ['descriptor "x.*.y"', withState({ on: { "x.*.y": "b" } })],
    ["route", withState({ id: "there", route: {} })],
    ['action name "xstate.raise"', withState({ entry: "xstate.raise" }, { actions: { "xstate.raise": noop } })]
  ]

  it.each(cases)("%s, and names chart and construct", (construct, machine) => {
    const refusal = refusalOf(machine)

    expect(refusal.chart).toBe("bad")
    expect(refusal.construct).toBe(construct)
    expect(refusal.message).toContain(`chart "bad"`)
    expect(refusal.message).toMatch(/ is not supported\. .+\.$/)
  })

  it("and names the state by its path, and what is declared beside an unknown name", () => {
    const inner = { initial: "x", states: { x: { entry: "publsh" } } }

    expect(refusalOf(withState(inner, { actions: { publish: noop, write: noop } })).message).toBe(
      'chart "bad", state "a.x": unknown action "publsh" is not supported. ' +
        "Declare it in setup({ actions }), which has: publish, write."
    )
  })

  it("a chart without states, and a name with a dot", () => {
    expect(refusalOf(createMachine({ id: "empty" })).construct).toBe("a chart without states")
    expect(refusalOf(createMachine({ id: "dotted", initial: "a.b", states: { "a.b": {} } })).state).toBe("a.b")
  })

  it("spawn inside assign, when it is called", () => {
    const chart = compileChart(withState({ entry: assign(({ spawn }) => ({ child: spawn("x") })) }))

    expect(() => chart.start(undefined)).toThrow(UnsupportedChart)
  })
})
