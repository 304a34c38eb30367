import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type ExpectationEvent, expectationMachine } from "../../machines/expectation.machine.ts"
import { standingStates } from "./reached.ts"

const alphabet: ReadonlyArray<ExpectationEvent> = [
  { type: "claim", fingerprint: null },
  { type: "claim", fingerprint: "f" },
  { type: "join" },
  { type: "primary.atBarrier", barrier: "terminal" },
  { type: "primary.crossed" },
  { type: "primary.cancelled" },
  { type: "replay.crossed" },
  { type: "replay.cancelled" },
  { type: "release", barrier: "terminal" },
  { type: "release", barrier: null },
  { type: "retire" }
]

const paths = (events: ReadonlyArray<ExpectationEvent>) =>
  getShortestPaths(expectationMachine, {
    input: { name: "turn", barriers: ["head", "terminal"] },
    events: [...events],
    stopWhen: ({ context }) => context.claims > 3
  })

const reached = (events: ReadonlyArray<ExpectationEvent> = alphabet) =>
  new Set(paths(events).map(({ state }) => JSON.stringify(state.value)))

const without = (...types: ReadonlyArray<ExpectationEvent["type"]>) =>
  alphabet.filter(({ type }) => !types.includes(type))

describe("the chart of an expectation", () => {
  it("reaches each of its states, and no other", () => {
    const wanted = [
      '"pending"',
      '{"active":"received"}',
      '{"active":"blocked"}',
      '"satisfied"',
      '"abandoned"',
      '"retired"'
    ]

    expect(reached()).toEqual(new Set(wanted))
    expect(standingStates(expectationMachine)).toEqual(new Set(wanted))
  })

  it("is satisfied only when its primary crossed, and abandoned only when it did not", () => {
    expect(reached(without("primary.crossed")).has('"satisfied"')).toBe(false)
    for (const { state } of paths(alphabet)) {
      if (state.value === "satisfied") expect(state.context.primaryCrossed).toBe(true)
      if (state.value === "abandoned") expect(state.context.primaryCrossed).toBe(false)
      if (state.status === "active" && state.value !== "pending") expect(state.context.active).toBeGreaterThan(0)
    }
  })

  it("does nothing without a claim but open its barriers and be retired", () => {
    const idle = paths(without("claim")).map(({ state }) => [state.value, state.context.closed.length])

    expect(idle.sort()).toEqual([
      ["pending", 0],
      ["pending", 1],
      ["pending", 2],
      ["retired", 0],
      ["retired", 1],
      ["retired", 2]
    ])
  })

  it("is joined only with a fingerprint, and by nobody when it is over", () => {
    for (const { state } of paths(alphabet)) {
      expect(state.can({ type: "join" })).toBe(state.matches("active") && state.context.fingerprint !== null)
      expect(state.can({ type: "claim", fingerprint: null })).toBe(state.value === "pending")
      expect(state.can({ type: "retire" })).toBe(state.value === "pending")
    }
  })
})
