import fc from "fast-check"
import { expect, test } from "vitest"
import { anyHistory } from "./arbitraries/histories.ts"
import { readSettings } from "./check.ts"
import { reached, sights } from "./invariants/reached.ts"
import { patienceMs } from "./laws.ts"
import { runHistory } from "./observation/run-history.ts"

/** Fewer runs say nothing about what is rare. */
const runsMin = 1_000

/** Of so many runs each sight must be seen in this part. */
const shareMin = 0.004

/** What the runs of the other properties come to. */
const survey = async (): Promise<ReadonlyMap<string, number>> => {
  const { seed, numRuns } = readSettings("coverage", { runs: runsMin }, process.env)
  const counts = new Map<string, number>()
  for (const history of fc.sample(anyHistory, { seed, numRuns: Math.max(numRuns, runsMin) })) {
    const observations = await runHistory(history)
    for (const name of reached(history, observations)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

test(
  "histories come to everything that the invariants are about",
  async () => {
    const counts = await survey()

    const rare = Object.keys(sights).filter((name) => (counts.get(name) ?? 0) < runsMin * shareMin)
    expect(rare).toEqual([])
  },
  patienceMs
)
