import { describe, expect, it } from "vitest"
import { type AnyStateMachine, assign, cancel, createMachine, raise, setup } from "xstate"
import { type Chart, compileChart, type Performer, type Step } from "../../src/supervisor/chart.ts"
import { isCancel, isDelayedRaise } from "../../src/supervisor/chart-step.ts"
import { microstepsMax } from "../../src/supervisor/chart-stepper.ts"

/** A chart whose state `a` has the given definition. */
const withState = (a: Record<string, unknown>, implementations: Record<string, unknown> = {}): AnyStateMachine =>
  createMachine({ id: "bad", initial: "a", states: { a, b: {} } }, implementations)

/** Starts a chart and delivers events of the given types. */
const run = (chart: Chart<AnyStateMachine>, ...types: ReadonlyArray<string>): Step<AnyStateMachine> =>
  types.reduce((step, type) => chart.step(step.snapshot, { type }), chart.start(undefined))

const listed = (step: Step<AnyStateMachine>): ReadonlyArray<string> => step.actions.map((action) => action.type)

const noop = (): void => {}

describe("always", () => {
  it("is tried even after an event that nothing handled", () => {
    const machine = setup({ guards: { isPoke: ({ event }) => event.type === "poke" } }).createMachine({
      initial: "a",
      states: { a: { always: { guard: "isPoke", target: "b" } }, b: {} }
    })
    const step = run(compileChart(machine), "poke")

    expect(step.snapshot.state).toBe("b")
    expect(step.handled).toBe(false)
  })

  it("is tried once more after every raised event", () => {
    const machine = setup({ guards: { isRaised: ({ event }) => event.type === "raised" } }).createMachine({
      initial: "a",
      states: { a: { entry: raise({ type: "raised" }), always: { guard: "isRaised", target: "b" } }, b: {} }
    })

    expect(run(compileChart(machine)).snapshot.state).toBe("b")
  })

  it("ends when it changes nothing", () => {
    const machine = withState({ always: { actions: "look" } }, { actions: { look: noop } })

    expect(listed(run(compileChart(machine)))).toEqual(["look"])
  })

  it("goes on as long as it assigns", () => {
    const machine = setup({
      types: { context: {} as { readonly n: number } },
      guards: { isSmall: ({ context }) => context.n < 5 }
    }).createMachine({
      context: { n: 0 },
      initial: "a",
      states: { a: { always: { guard: "isSmall", actions: assign({ n: ({ context }) => context.n + 1 }) } } }
    })

    expect(compileChart(machine).start(undefined).snapshot.context).toEqual({ n: 5 })
  })

  it("that never comes to rest throws instead of hanging", () => {
    const chart = compileChart(
      createMachine({ id: "spin", initial: "a", states: { a: { always: "b" }, b: { always: "a" } } })
    )

    expect(() => chart.start(undefined)).toThrow(`chart "spin" took ${microstepsMax} transitions`)
  })
})

describe("the end of a chart", () => {
  const machine = setup({
    types: { context: {} as { readonly n: number }, output: {} as { readonly n: number; readonly event: unknown } },
    actions: {
      note: (_, _params: { readonly at: string; readonly n: number }) => {},
      add: assign({ n: ({ context }) => context.n + 1 })
    }
  }).createMachine({
    id: "ending",
    context: { n: 0 },
    initial: "a",
    exit: { type: "note", params: ({ context }) => ({ at: "root", n: context.n }) },
    on: { late: { actions: { type: "note", params: { at: "late", n: 0 } } } },
    states: {
      a: { on: { go: "z" } },
      z: {
        type: "final",
        entry: [raise({ type: "late" }), "add"],
        exit: [{ type: "note", params: ({ context }) => ({ at: "z", n: context.n }) }, "add"],
        output: ({ context }) => context.n
      }
    },
    output: ({ context, event }) => ({ n: context.n, event })
  })
  const chart = compileChart(machine)
  const done = chart.step(chart.start(undefined).snapshot, { type: "go" })

  it("runs the exit actions of final state and root, and drops raised events", () => {
    expect(done.actions).toEqual([
      { type: "note", params: { at: "z", n: 1 } },
      { type: "note", params: { at: "root", n: 2 } }
    ])
  })

  it("computes the root output before those, from the final state's done event", () => {
    expect(done.snapshot).toEqual({
      state: "z",
      value: "z",
      status: "done",
      context: { n: 2 },
      output: { n: 1, event: { type: "xstate.done.state.ending.z", output: 1 } }
    })
  })

  it("takes no event any more, not even one that the root has a transition for", () => {
    const after = chart.step(done.snapshot, { type: "late" })

    expect(after).toEqual({ snapshot: done.snapshot, actions: [], handled: false })
    expect(after.snapshot).toBe(done.snapshot)
    expect(chart.names(done.snapshot, "late")).toBe(false)
  })
})

describe("timers", () => {
  const chart = compileChart(
    setup({
      types: { context: {} as { readonly ms: number }, input: {} as { readonly ms: number } },
      delays: { computed: ({ context }) => context.ms, fixed: 50 }
    }).createMachine({
      id: "timed",
      context: ({ input }) => ({ ms: input?.ms ?? 0 }),
      initial: "a",
      states: {
        a: {
          after: { computed: "b", fixed: "b", 7: "b" },
          on: { later: { actions: raise({ type: "x" }, { id: "x", delay: "computed" }) } }
        },
        b: { entry: cancel("x") }
      }
    })
  )

  it("are listed as raises with their delay in milliseconds", () => {
    const timers = chart
      .start({ ms: 30 })
      .actions.filter(isDelayedRaise)
      .map(({ params }) => params)

    expect(timers.map(({ event, delay }) => [event.type, delay])).toEqual([
      ["xstate.after.7.timed.a", 7],
      ["xstate.after.computed.timed.a", 30],
      ["xstate.after.fixed.timed.a", 50]
    ])
    expect(timers.every(({ event, id }) => event.type === id)).toBe(true)
  })

  it("are cancelled by leaving the state, then by what the next one asks for", () => {
    const step = chart.step(chart.start({ ms: 30 }).snapshot, { type: "xstate.after.computed.timed.a" })

    expect(step.actions.filter(isCancel).map(({ params }) => params.sendId)).toEqual([
      "xstate.after.7.timed.a",
      "xstate.after.computed.timed.a",
      "xstate.after.fixed.timed.a",
      "x"
    ])
  })

  it("keep the id of a delayed raise", () => {
    const step = chart.step(chart.start({ ms: 30 }).snapshot, { type: "later" })

    expect(step.actions).toEqual([{ type: "xstate.raise", params: { event: { type: "x" }, id: "x", delay: 30 } }])
  })

  it("throw when a delay computes no number, which xstate takes for no delay", () => {
    expect(() => chart.start({ ms: Number.NaN })).toThrow(
      'the delay of timer "xstate.after.computed.timed.a" is no number'
    )
  })
})

describe("a step", () => {
  const machine = setup({
    types: {
      context: {} as { readonly n: number },
      input: {} as { readonly n: number },
      events: {} as { readonly type: "go"; readonly by: number } | { readonly type: "hush" | "tell" }
    },
    actions: {
      add: assign(({ context }, params: { readonly by: number }) => ({ n: context.n + params.by })),
      note: (_, _params: { readonly n: number }) => {}
    },
    guards: { isSmall: ({ context }, params: { readonly than: number }) => context.n < params.than }
  }).createMachine({
    id: "steps",
    context: ({ input }) => ({ n: input?.n ?? 0 }),
    initial: "a",
    states: {
      a: {
        initial: "b",
        on: {
          go: {
            guard: { type: "isSmall", params: ({ event }) => ({ than: event.by }) },
            actions: [
              { type: "note", params: ({ context }) => ({ n: context.n }) },
              { type: "add", params: ({ event }) => ({ by: event.by }) },
              { type: "note", params: ({ context }) => ({ n: context.n }) }
            ]
          },
          tell: { actions: raise({ type: "hush" }) }
        },
        states: { b: { on: { hush: {} } } }
      }
    }
  })
  const chart = compileChart(machine)
  const { snapshot } = chart.start({ n: 1 })

  it("computes params from the context as it is when the action's turn comes", () => {
    const step = chart.step(snapshot, { type: "go", by: 3 })

    expect(step.actions).toEqual([
      { type: "note", params: { n: 1 } },
      { type: "note", params: { n: 4 } }
    ])
    expect(snapshot.context).toEqual({ n: 1 })
  })

  it("gives the same snapshot when nothing changes", () => {
    expect(chart.step(snapshot, { type: "other" }).snapshot).toBe(snapshot)
    expect(chart.step(snapshot, { type: "hush" }).snapshot).toBe(snapshot)
  })

  it("counts an event as handled by an empty transition, but not by one that its guard refuses", () => {
    expect(chart.step(snapshot, { type: "hush" }).handled).toBe(true)
    expect(chart.step(snapshot, { type: "go", by: 0 }).handled).toBe(false)
    expect(chart.step(snapshot, { type: "other" }).handled).toBe(false)
  })

  it("applies undelayed raises without listing them", () => {
    expect(chart.step(snapshot, { type: "tell" })).toEqual({ snapshot, actions: [], handled: true })
  })

  it("goes on from a snapshot that was stored as JSON", () => {
    const stored: typeof snapshot = JSON.parse(JSON.stringify(snapshot))

    expect(chart.step(stored, { type: "go", by: 3 }).snapshot.context).toEqual({ n: 4 })
  })

  it("throws for a snapshot of another chart", () => {
    expect(() => chart.step({ ...snapshot, state: "a" }, { type: "go" })).toThrow(
      'chart "steps" has no state "a" without children; it has: a.b'
    )
  })
})

describe("a chart", () => {
  const machine = withState({ initial: "x", on: { "go.*": "b" }, states: { x: { on: { stay: {} } } } })
  const chart = compileChart(machine)
  const { snapshot } = chart.start(undefined)

  it("names the events that the present state or a parent has a transition for", () => {
    expect(["stay", "go", "go.on", "gone", "other"].filter((type) => chart.names(snapshot, type))).toEqual([
      "stay",
      "go",
      "go.on"
    ])
  })

  it("lists its states as dotted paths, parents first", () => {
    expect(chart.id).toBe("bad")
    expect(chart.stateIds).toEqual(["a", "a.x", "b"])
    expect(snapshot.state).toBe("a.x")
    expect(snapshot.value).toEqual({ a: "x" })
  })

  it("gives its performers' types", () => {
    const typed = setup({
      actions: { publish: (_, _params: { readonly phase: string }) => {}, flush: () => {} }
    }).createMachine({})
    const performed: Array<string> = []
    const performer: Performer<typeof typed, string> = {
      publish: ({ phase }, self) => performed.push(`${self} ${phase}`),
      // @ts-expect-error -- no such action
      publsh: noop
    }
    performer.publish?.({ phase: "Received" }, "copy")

    // @ts-expect-error -- params are checked
    expect(() => performer.publish?.({ stage: 1 }, "copy")).not.toThrow()
    expect(performed).toEqual(["copy Received", "copy undefined"])
  })
})
