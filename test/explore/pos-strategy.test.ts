import { describe, expect, it } from "vitest"
import { exploreRuns } from "../../src/explore/explore-runs.ts"
import { posStrategy } from "../../src/explore/pos-strategy.ts"
import { makeSimKernel } from "../../src/kernel/sim-kernel.ts"

/** In how many of 400 runs one operation comes after a row of ten, which touch the same as it or something else. */
const lastOf = (touches: string): number => {
  let last = 0
  exploreRuns({
    run: (choice) => {
      const kernel = makeSimKernel({ choice })
      for (let index = 0; index < 10; index++) {
        kernel.plan(0, { kind: "task", label: "row", actor: "row", channel: "row", touches: ["store"] }, () => {})
      }
      kernel.plan(0, { kind: "task", label: "one", actor: "one", touches: [touches] }, () => {
        if (kernel.stepCount() === 11) last++
      })
      while (kernel.step() !== null);
      return { type: "ok" }
    },
    strategy: posStrategy(),
    runs: 400,
    checkShare: 0
  })
  return last
}

describe("Partial order sampling", () => {
  it("draws the order of operations that conflict anew at each of them, and of others once", () => {
    expect(lastOf("store")).toBeLessThan(8)
    expect(lastOf("other")).toBeGreaterThan(20)
  })
})
