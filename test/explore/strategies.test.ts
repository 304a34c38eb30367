import { describe, expect, it } from "vitest"
import { exploreRuns } from "../../src/explore/explore-runs.ts"
import { type StrategyName, strategies } from "../../src/explore/strategies.ts"
import { type Actors, actorProgram, beside, claims, retries, windows } from "./actor-programs.ts"
import { fiveClients } from "./five-clients.ts"

const trials = 8

/** Runs until the bug showed, in several explorations; infinite where it did not within `cap`. */
const runsToBug = (make: () => Actors, name: StrategyName, cap: number): ReadonlyArray<number> =>
  Array.from({ length: trials }, (_, trial) => {
    const run = actorProgram(make)
    const { failure } = exploreRuns({
      run,
      strategy: strategies[name](),
      runs: cap,
      seed: 100 + trial,
      checkShare: 0,
      shrinkRunsMax: 0
    })
    return failure === null ? Number.POSITIVE_INFINITY : failure.index + 1
  })

const bugs = {
  claim: beside(6, 20, claims()),
  retry: beside(4, 15, retries(6)),
  slowTimer: beside(8, 30, retries(24)),
  windows: beside(3, 10, windows(18))
}

describe("Strategies of exploration", () => {
  it.each([
    ["random", "claim", 10],
    ["swarm", "claim", 10],
    ["pct", "claim", 200],
    ["pos", "claim", 15],
    ["delay", "claim", 10],
    ["corpus", "claim", 15],
    ["portfolio", "claim", 2],
    ["random", "retry", 100],
    ["pct", "retry", 20],
    ["pos", "retry", 30],
    ["delay", "retry", 300],
    ["portfolio", "retry", 50],
    ["pct", "slowTimer", 20],
    ["pos", "slowTimer", 150],
    ["portfolio", "slowTimer", 50],
    ["random", "windows", 300],
    ["portfolio", "windows", 400]
  ] as const)("%s finds the bug of %s in at most %i runs, whatever the seed", (name, bug, cap) => {
    expect(Math.max(...runsToBug(bugs[bug], name, cap))).toBeLessThanOrEqual(cap)
  })

  it("need each other: random never finds a slow timer that PCT finds at once, and PCT never a narrow window that random finds", () => {
    expect(Math.min(...runsToBug(bugs.slowTimer, "random", 150))).toBe(Number.POSITIVE_INFINITY)
    expect(Math.min(...runsToBug(bugs.windows, "pct", 150))).toBe(Number.POSITIVE_INFINITY)
  })

  it("find nothing in a program that is right", () => {
    const run = actorProgram(beside(2, 5, claims({ clients: 3, isCareful: true })))
    for (const make of Object.values(strategies)) {
      expect(exploreRuns({ run, strategy: make(), runs: 150 }).failure).toBeNull()
    }
  })

  it.each(Object.keys(strategies))("%s draws what is no order of events too, and finds a late answer", (name) => {
    const strategy = strategies[name as StrategyName]()
    const { failure } = exploreRuns({ run: fiveClients({ clients: 2 }), strategy, runs: 300, shrinkRunsMax: 0 })

    expect(failure?.signature).toBe("executed twice")
  })

  it.each(Object.keys(strategies))("%s makes the same runs again from the same seed", (name) => {
    const hashes = (seed: number): ReadonlyArray<string | undefined> => {
      const found: Array<string | undefined> = []
      const strategy = strategies[name as StrategyName]()
      const run = actorProgram(beside(2, 4, claims({ clients: 3, isCareful: true })))
      exploreRuns({ run, strategy, runs: 40, seed, onRun: ({ outcome }) => found.push(outcome.hash) })
      return found
    }

    expect(hashes(5)).toEqual(hashes(5))
    if (name !== "dfs") expect(hashes(6)).not.toEqual(hashes(5))
  })
})
