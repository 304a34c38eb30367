import { describe, expect, test } from "vitest"
import { someLines } from "../../src/campaign/program-prints.ts"
import { progressLine } from "../../src/cli/explore-progress.ts"

describe("the progress of a search", () => {
  test("says schedules, rate, coverage, strategies and time of all shares together", () => {
    const shares = [
      { runs: 30, reached: 7, strategies: { pct: 10, random: 20 } },
      { runs: 10, reached: 9, strategies: { pct: 10 } }
    ]

    expect(progressLine({ program: "p", shares, runs: 50, elapsedMs: 2_000, budgetMs: null })).toBe(
      "p: 40 of 50 schedules, 20/s, 9 things reached, pct 20 random 20, 2 s"
    )
    expect(progressLine({ program: "p", shares: [], runs: null, elapsedMs: 0, budgetMs: 30_000 })).toBe(
      "p: 0 schedules, 0/s, 0 things reached, 0 s of 30 s"
    )
  })
})

describe("what programs print", () => {
  test("is passed on line by line, twenty of them, and then said to be more", () => {
    const told: Array<string> = []
    const pass = someLines((line) => told.push(line), "more")

    pass("one\ntw")
    pass("o\n")
    for (let count = 0; count < 40; count++) pass("again\n")

    expect(told.slice(0, 3)).toEqual(["one", "two", "again"])
    expect(told).toHaveLength(21)
    expect(told.at(-1)).toBe("more")
  })
})
