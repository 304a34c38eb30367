import { describe, expect, it } from "vitest"
import { makeSeenStates } from "../../src/explore/seen-states.ts"

describe("States that a search has seen", () => {
  it("are known from the second visit on, with what slept there", () => {
    const states = makeSeenStates()

    expect(states.visit("s", ["1", "2"])).toBeNull()
    expect(states.visit("s", ["1", "2"])).toEqual(new Set(["1", "2"]))
    expect(states.visit("other", [])).toBeNull()
  })

  it("have nothing more to try than what slept at every visit", () => {
    const states = makeSeenStates()
    states.visit("s", ["1", "2"])

    expect(states.visit("s", ["2", "3"])).toEqual(new Set(["1", "2"]))
    // 3 was tried the first time, and 1 the second.
    expect(states.visit("s", ["1"])).toEqual(new Set(["2"]))
    expect(states.visit("s", [])).toEqual(new Set())
  })
})
