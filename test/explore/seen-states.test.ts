import { describe, expect, it } from "vitest"
import { makeSeenStates } from "../../src/explore/seen-states.ts"

const sleeping = (...names: ReadonlyArray<number>): ReadonlySet<string> => new Set(names.map(String))

describe("States that a search has seen", () => {
  it("are covered the second time, also when more sleeps there", () => {
    const states = makeSeenStates()

    expect(states.isCovered("s", sleeping(1))).toBe(false)
    expect(states.isCovered("s", sleeping(1))).toBe(true)
    expect(states.isCovered("s", sleeping(1, 2))).toBe(true)
    expect(states.isCovered("other", sleeping(1))).toBe(false)
  })

  it("are not covered where something is awake that always slept, for it was never tried from there", () => {
    const states = makeSeenStates()
    states.isCovered("s", sleeping(1))

    expect(states.isCovered("s", sleeping(2))).toBe(false)
    // 2 was tried the first time, and 1 the second.
    expect(states.isCovered("s", sleeping())).toBe(true)
  })
})
