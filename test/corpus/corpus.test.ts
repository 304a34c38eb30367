import { describe, expect, it } from "vitest"
import { bugs } from "./bugs.ts"
import { schedulesMax, searchCase } from "./search-case.ts"

/** `run.mjs` gives the fixed clients more. */
const twinRuns = 40
const timeoutMs = 120_000

for (const bug of bugs) {
  describe(bug.title, () => {
    for (const one of bug.cases) {
      const { fails } = one
      if (fails === null) {
        it(
          `${one.client}: passes`,
          async () => {
            const { found, runs } = await searchCase(bug, one, { seed: 1, runs: twinRuns })

            expect(found?.message).toBeUndefined()
            expect(runs).toBe(twinRuns)
          },
          timeoutMs
        )
      } else {
        it(
          `${one.client}: is found in at most ${schedulesMax} schedules, and made small`,
          async () => {
            const { found } = await searchCase(bug, one, { seed: 1 })

            expect(found?.message).toMatch(fails)
            expect(found?.nonCalm).toBeLessThanOrEqual(3)
          },
          timeoutMs
        )
      }
    }
  })
}
