import { describe, expect, test } from "vitest"
import { compared } from "../../bench/live/compared.mjs"

const row = (figures: ReadonlyArray<readonly [what: string, value: number, unit: string]>) => ({
  id: "streams",
  result: { problems: [], figures: figures.map(([what, value, unit]) => ({ what, value, unit })) }
})

const kept = [
  row([
    ["ours, 32 connections: requests per second", 2.4, "of bare"],
    ["ours, 32 connections: requests per second", 9_000, "/s"],
    ["ours: last of them answered", 1, "× bare"]
  ])
]

const texts = (...figures: ReadonlyArray<readonly [string, number, string]>) =>
  compared(kept, [row(figures)]).map(({ text, isGross }) => `${isGross} ${text}`)

// Seen to fail when a figure that is better when it is small is taken for one that is better when it is great.
describe("a short benchmark", () => {
  test("fails on less than half of what was kept, and on nothing else", () => {
    expect(texts(["ours, 32 connections: requests per second", 1.21, "of bare"])).toEqual([
      "false ok    streams, ours, 32 connections: requests per second: 1.21 of bare (kept 2.40)"
    ])
    expect(texts(["ours, 32 connections: requests per second", 1.19, "of bare"])).toEqual([
      "true WORSE streams, ours, 32 connections: requests per second: 1.19 of bare (kept 2.40)"
    ])
    expect(texts(["ours: last of them answered", 1.9, "× bare"])[0]).toMatch(/^false/)
    expect(texts(["ours: last of them answered", 2.1, "× bare"])[0]).toMatch(/^true/)
    expect(texts(["ours: last of them answered", Number.NaN, "× bare"])[0]).toMatch(/^true/)
  })

  test("looks at ratios of ours alone, and lets one pass that is new", () => {
    expect(
      texts(
        ["ours, 32 connections: requests per second", 1, "/s"],
        ["ours, 32 connections: CPU time for a request", 9, "× bare"],
        ["@copilotkit/aimock, 32 connections: requests per second", 0.01, "of bare"]
      )
    ).toEqual([])
    expect(texts(["ours, 8 connections: requests per second", 0.01, "of bare"])).toEqual([
      "false ok    streams, ours, 8 connections: requests per second: 0.01 of bare (none is kept)"
    ])
  })
})
