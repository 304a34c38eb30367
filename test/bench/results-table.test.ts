import { describe, expect, test } from "vitest"
import { summary } from "../../bench/shared/measure/summary.ts"
import { exitCodeOf, type MeasuredRow, resultsText } from "../../bench/shared/report/table.ts"
import type { Figure } from "../../bench/shared/row.ts"

const bench = { command: "npm run bench:some", heading: "Some, measured", reading: ["Read it so."] }

const where = {
  at: "2026-01-01 00:00",
  machine: "1 × some CPU",
  load: "0.0",
  node: "20.19.0",
  commit: "abc",
  packages: { openai: "1.0.0" }
}

const rowOf = (figures: ReadonlyArray<Figure>, problems: ReadonlyArray<string> = []): MeasuredRow => ({
  id: "some",
  title: "Some row",
  where,
  result: { how: "By looking.", figures, problems }
})

const linesOf = (...figures: ReadonlyArray<Figure>): ReadonlyArray<string> =>
  resultsText(bench, [rowOf(figures)])
    .split("\n")
    .filter((line) => /^\| [^*m-]/.test(line))

describe("The table of a benchmark", () => {
  test("says of each bar whether it was reached, and by how much it was missed", () => {
    const rate = { unit: "runs/CPU-s", bar: { atLeast: 250 } }
    const lines = linesOf(
      { what: "a", value: 250, min: 200, max: 300.25, perReference: 0.001234, ...rate },
      { what: "b", value: 200, ...rate },
      { what: "c", value: 3.5, unit: "choices", bar: { atMost: 3 } },
      { what: "d", value: 2, unit: "hashes", bar: { exactly: 1 } },
      { what: "e", value: Number.POSITIVE_INFINITY, unit: "schedules", bar: { atMost: 200 } },
      { what: "f", value: 12, unit: "of something" }
    )

    expect(lines).toEqual([
      "| a | ≥ 250 | 250 runs/CPU-s | 200 – 300.3 | 0.00123 | ok |",
      "| b | ≥ 250 | 200 runs/CPU-s |  |  | missed by 50 |",
      "| c | ≤ 3 | 3.5 choices |  |  | missed by 0.5 |",
      "| d | = 1 | 2 hashes |  |  | missed by 1 |",
      "| e | ≤ 200 | none schedules |  |  | missed |",
      "| f |  | 12 of something |  |  |  |"
    ])
  })

  test("has no column for a reference that nothing was measured beside", () => {
    const lines = linesOf({ what: "a", value: 0.7, min: 0.6, max: 0.8, unit: "of pipe", bar: { atLeast: 0.6 } })

    expect(lines).toEqual(["| a | ≥ 0.6 | 0.7 of pipe | 0.6 – 0.8 | ok |"])
  })

  test("tells wrong answers, which alone make the command fail", () => {
    const missed = rowOf([{ what: "a", value: 1, unit: "runs", bar: { atLeast: 2 } }])
    const wrong = rowOf([], ["two hashes"])

    expect(exitCodeOf([missed])).toBe(0)
    expect(exitCodeOf([missed, wrong])).toBe(1)
    expect(resultsText(bench, [wrong])).toContain("**Wrong answers:**\n\n* some: two hashes")
  })

  test("takes the middle of the readings", () => {
    expect(summary([5, 1, 3])).toEqual({ median: 3, min: 1, max: 5 })
    expect(summary([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 })
  })
})
