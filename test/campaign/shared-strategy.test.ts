import { describe, expect, test } from "vitest"
import { mergeShares } from "../../src/campaign/merged-shares.ts"
import { runNumber, runsOfShare, sharedStrategy } from "../../src/campaign/shared-strategy.ts"
import type { ShareResult } from "../../src/campaign/sim-worker.ts"
import { exploreRuns } from "../../src/explore/explore-runs.ts"
import type { Program } from "../../src/explore/program.ts"
import { strategies } from "../../src/explore/strategies.ts"

/** What the runs of a share chose, by their numbers. */
const answers = (name: "random" | "swarm", of: number, runs: number): ReadonlyMap<number, string> => {
  const all = new Map<number, string>()
  for (let at = 0; at < of; at++) {
    const share = { at, of }
    const made: Array<string> = []
    const run: Program<{ readonly type: "ok" }> = (choice) => {
      made.push([1, 2, 3].map((place) => choice.draw(1_000, `net/${place}`)).join())
      return { type: "ok" }
    }
    const strategy = sharedStrategy(strategies[name](), share, 9)
    exploreRuns({ run, seed: 9, runs: runsOfShare(share, runs), checkShare: 0, strategy })
    for (const [index, text] of made.entries()) all.set(runNumber(share, index), text)
  }
  return new Map([...all].sort(([one], [other]) => one - other))
}

describe("a shared campaign", () => {
  test.each(["random", "swarm"] as const)("makes each run once, the same with any number of workers (%s)", (name) => {
    const alone = answers(name, 1, 25)

    expect([...alone.keys()]).toEqual(Array.from({ length: 25 }, (_, index) => index))
    expect(new Set(alone.values()).size).toBeGreaterThan(10)
    for (const workers of [2, 3, 7, 25]) expect(answers(name, workers, 25)).toEqual(alone)
  })

  test("alone makes the runs that explore makes without sharing", () => {
    const made: Array<number> = []
    exploreRuns({
      run: (choice) => {
        made.push(choice.draw(1_000, "net/a"))
        return { type: "ok" }
      },
      seed: 9,
      runs: 25,
      checkShare: 0,
      strategy: strategies.random()
    })

    expect([...answers("random", 1, 25).values()].map((text) => Number(text.split(",")[0]))).toEqual(made)
  })
})

describe("shares added up", () => {
  const share = (run: number | null, goals: Readonly<Record<string, number>>): ShareResult => ({
    stats: {
      runs: 2,
      cut: 0,
      failures: { E: 1 },
      checked: 1,
      distinct: 2,
      draws: 3,
      picks: 4,
      pairs: run ?? 0,
      strategies: { pct: { runs: 2, reachedNew: 1 } }
    },
    hashes: ["same", `${run}`],
    coverage: ["a", `of ${run}`],
    goals,
    isComplete: false,
    outdated: [],
    failure: run === null ? null : { run, by: "pct", signature: "E", message: "m", token: "t" }
  })

  test("have the failure of the run with the lowest number", () => {
    const { failure, stats, coverage } = mergeShares([share(7, {}), share(3, {}), share(null, {})])

    expect(failure?.run).toBe(3)
    expect(stats).toMatchObject({
      runs: 6,
      distinct: 4,
      failures: { E: 3 },
      pairs: 7,
      strategies: { pct: { runs: 6, reachedNew: 3 } }
    })
    expect(coverage).toEqual(["a", "of 7", "of 3", "of null"])
  })

  test("have missed a goal that none of them reached", () => {
    const { goals, goalsMissed } = mergeShares([share(null, { sea: 0, moon: 0 }), share(null, { sea: 2, moon: 0 })])

    expect({ goals, goalsMissed }).toEqual({ goals: { sea: 2, moon: 0 }, goalsMissed: ["moon"] })
  })
})
