import { describe, expect, test } from "vitest"
import { plotSvg } from "../../bench/shared/report/plot.ts"

const plot = (points: ReadonlyArray<readonly [number, number]>, isLinear = false) =>
  plotSvg({ title: "A & B", xLabel: "x", yLabel: "y", isLinear, lines: [{ label: "one", points }] })

describe("a plot", () => {
  test("has a line through its points, between powers of ten", () => {
    const svg = plot([
      [1, 10],
      [100, 1_000]
    ])

    expect(svg).toContain('d="M80 310L620 40"')
    expect(svg).toContain("A &amp; B")
    for (const tick of ["1", "10", "100", "1,000"]) expect(svg).toContain(`>${tick}</text>`)
  })

  test("begins at 0 where it is linear", () => {
    expect(plot([[1, 10]], true)).toContain('d="M620 40"')
  })

  // Seen to fail: a scale without end.
  test("leaves out what has no place on it", () => {
    const svg = plot([
      [1, 0],
      [10, Number.POSITIVE_INFINITY],
      [10, Number.NaN]
    ])
    expect(svg).not.toContain("NaN")
    expect(svg).not.toContain("<circle")
    expect(plot([])).toContain("<svg")
  })
})
