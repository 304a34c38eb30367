import { describe, expect, it } from "vitest"
import { type LeaderGenerationEvent, leaderGenerationMachine } from "../../machines/leader-generation.machine.ts"
import { compileChart } from "../../src/supervisor/chart.ts"

const chart = compileChart(leaderGenerationMachine)

const read = (pid: number | null, isAlive = pid !== null): LeaderGenerationEvent => ({
  type: "lock.read",
  pid,
  isAlive
})

/** Where the chart stands behind these reads. */
const after = (...events: ReadonlyArray<LeaderGenerationEvent>) => {
  let step = chart.start(undefined)
  for (const event of events) step = chart.step(step.snapshot, event)
  const { state, context } = step.snapshot
  return [state, context.pid, context.generation]
}

describe("the chart of observed leaders", () => {
  it.each([
    [[], ["unknown", null, 0]],
    [[read(null)], ["unknown", null, 0]],
    [[read(7, false)], ["unknown", null, 0]],
    [[read(7)], ["live", 7, 1]],
    [
      [read(7), read(7)],
      ["live", 7, 1]
    ],
    [
      [read(7), read(8)],
      ["live", 8, 2]
    ],
    [
      [read(7), read(null)],
      ["vacant", 7, 1]
    ],
    [
      [read(7), read(7, false)],
      ["vacant", 7, 1]
    ],
    [
      [read(7), read(8, false)],
      ["vacant", 7, 1]
    ],
    [
      [read(7), read(null), read(7)],
      ["live", 7, 1]
    ],
    [
      [read(7), read(null), read(8)],
      ["live", 8, 2]
    ],
    [
      [read(7), read(8), read(7)],
      ["live", 7, 3]
    ],
    [
      [read(7), { type: "stopped" }],
      ["over", 7, 1]
    ]
  ] as const)("behind %j it stands at %j", (events, expected) => {
    expect(after(...events)).toEqual(expected)
  })
})
