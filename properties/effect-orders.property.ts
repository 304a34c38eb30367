import { Effect, Fiber } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runWorld } from "../src/campaign/run-world.ts"
import { simRuntime } from "../src/effect.ts"
import { dfsStrategy } from "../src/explore/dfs-strategy.ts"
import { exploreRuns } from "../src/explore/explore-runs.ts"
import type { Outcome } from "../src/explore/outcome.ts"
import { checkProperty } from "./check.ts"

/** How many steps each fiber makes, with a yield between any two. */
const stepCounts = fc
  .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 })
  .filter((counts) => orderCount(counts) <= 300)

/** In how many orders fibers can make their steps. */
const orderCount = (counts: ReadonlyArray<number>): number => {
  let orders = 1
  let before = 0
  for (const count of counts) {
    for (let step = 1; step <= count; step++) orders = (orders * ++before) / step
  }
  return orders
}

const program = (counts: ReadonlyArray<number>, step: (name: string) => void) =>
  Effect.gen(function* () {
    const fibers = []
    for (const [index, count] of counts.entries()) {
      const work = Effect.gen(function* () {
        for (let nth = 0; nth < count; nth++) {
          if (nth > 0) yield* Effect.yieldNow
          step(`${index}.${nth}`)
        }
      })
      fibers.push(yield* Effect.forkChild(work))
    }
    yield* Fiber.joinAll(fibers)
  })

describe("Fibers of Effect in a simulated run", () => {
  // Seen to fail when the tasks of one dispatcher keep their order, when they stay in one channel for each actor, and when a
  // second operation is planned for a task.
  it("go on in every order that their program allows, each in one run of a complete search", async () => {
    await checkProperty(
      "every order of fibers",
      fc.asyncProperty(stepCounts, async (counts) => {
        const orders: Array<string> = []

        const { isComplete } = await exploreRuns({
          strategy: dfsStrategy(),
          runs: 1_000,
          checkShare: 0,
          async run(choice, context): Promise<Outcome> {
            const seen: Array<string> = []
            const { outcome } = await runWorld({ choice, context, runSync: Effect.runSync }, (sim) =>
              simRuntime(sim).runPromise(program(counts, (name) => seen.push(name)))
            )
            if (outcome.status === "failed") throw outcome.error
            orders.push(seen.join(" "))
            return { type: "ok" }
          }
        })

        expect(isComplete).toBe(true)
        expect(orders).toHaveLength(orderCount(counts))
        expect(new Set(orders).size).toBe(orders.length)
      }),
      { runs: 30 }
    )
  })
})
