import fc from "fast-check"
import { expect, test } from "vitest"
import { anyHistory } from "./arbitraries/histories.ts"
import { isLeftOut, readSettings } from "./check.ts"
import { reached, sights } from "./invariants/reached.ts"
import { patienceMs } from "./laws.ts"
import { runHistory } from "./observation/run-history.ts"

/** Fewer runs say nothing about what is rare. */
const runsMin = 1_000

/** Of so many runs each sight must be seen in this part. */
const shareMin = 0.004

/** What too few runs of the other properties come to. */
const rareSights = async (): Promise<ReadonlyArray<string>> => {
  const { seed, numRuns } = readSettings("coverage", { runs: runsMin }, process.env)
  const runs = Math.max(numRuns, runsMin)
  const counts = new Map<string, number>()
  for (const history of fc.sample(anyHistory, { seed, numRuns: runs })) {
    for (const name of reached(history, await runHistory(history))) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return Object.keys(sights).filter((name) => (counts.get(name) ?? 0) < runs * shareMin)
}

// Seen to fail when no scene of a live call is drawn: there is then hardly a replay, and none after its primary left.
test(
  "histories come to everything that the invariants are about",
  async () => {
    if (isLeftOut("coverage")) return

    expect(await rareSights()).toEqual([])
  },
  patienceMs
)
