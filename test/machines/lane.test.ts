import { describe, expect, it } from "vitest"
import { initialTransition, transition } from "xstate"
import { getShortestPaths } from "xstate/graph"
import { type LaneEvent, laneMachine } from "../../machines/lane.machine.ts"
import { standingStates } from "./reached.ts"

const take: LaneEvent = { type: "take" }

const paths = (input: { readonly length: number; readonly repeatLast: boolean }, takes = 6) =>
  getShortestPaths(laneMachine, { input, events: [take], stopWhen: ({ context }) => context.taken >= takes })

const reached = (...inputs: ReadonlyArray<{ readonly length: number; readonly repeatLast: boolean }>) =>
  new Set(inputs.flatMap((input) => paths(input).map(({ state }) => JSON.stringify(state.value))))

/** The entries that so many exchanges take, by index. */
const entries = (input: { readonly length: number; readonly repeatLast: boolean }, takes: number) => {
  let [snapshot] = initialTransition(laneMachine, input)
  return Array.from({ length: takes }, () => {
    const [next, actions] = transition(laneMachine, snapshot, take)
    snapshot = next
    return actions.filter(({ type }) => type === "yieldEntry").map(({ params }) => params)
  })
}

describe("the chart of a lane", () => {
  it("reaches each of its states, and no other", () => {
    const all = reached({ length: 2, repeatLast: false }, { length: 2, repeatLast: true })

    expect(all).toEqual(new Set(['"running"', '"repeating"', '"exhausted"']))
    expect(all).toEqual(standingStates(laneMachine))
  })

  it("is repeating or exhausted behind its last entry, as it was told, and never both", () => {
    expect(reached({ length: 2, repeatLast: false })).toEqual(new Set(['"running"', '"exhausted"']))
    expect(reached({ length: 2, repeatLast: true })).toEqual(new Set(['"running"', '"repeating"']))
  })

  it("yields exactly one entry for each exchange, in order, and a number that counts on", () => {
    expect(entries({ length: 2, repeatLast: false }, 4)).toEqual([
      [{ index: 0, attempt: 1 }],
      [{ index: 1, attempt: 2 }],
      [{ index: null, attempt: 3 }],
      [{ index: null, attempt: 4 }]
    ])
    expect(entries({ length: 2, repeatLast: true }, 4)).toEqual([
      [{ index: 0, attempt: 1 }],
      [{ index: 1, attempt: 2 }],
      [{ index: 1, attempt: 3 }],
      [{ index: 1, attempt: 4 }]
    ])
  })

  it("never lets its cursor fall, and never past the end of its script", () => {
    for (const repeatLast of [false, true]) {
      for (const { state } of paths({ length: 3, repeatLast })) {
        const { cursor, taken, length } = state.context
        expect(cursor).toBe(Math.min(taken, length))
        expect(state.matches("running")).toBe(taken < length)
      }
    }
  })

  it("takes whatever comes, for ever", () => {
    for (const repeatLast of [false, true]) {
      for (const { state } of paths({ length: 1, repeatLast })) {
        expect(state.status).toBe("active")
        expect(state.can(take)).toBe(true)
      }
    }
  })
})
