import fc from "fast-check"
import { expect, test } from "vitest"
import { arbitraries, comparisons, historyLines, invariants, judge, reached, runHistory } from "../../src/properties.ts"
import { startVirtualServer } from "../../src/sim.ts"

test("a suite of somebody else draws histories, runs them and checks invariants", async () => {
  const property = fc.asyncProperty(arbitraries.anyHistory, async (history) => {
    const observations = await runHistory(history)
    for (const invariant of Object.values(invariants)) invariant(history, observations)
    expect(judge(history, observations).differences).toEqual([])
    expect(reached(history, observations).length).toBeGreaterThanOrEqual(0)
  })

  await fc.assert(property, { seed: 1, numRuns: 20 })
})

test("a history runs against a server that somebody else starts", async () => {
  const started: Array<string> = []
  const [history] = fc.sample(arbitraries.histories({ ties: "none", closes: false, names: "few" }), {
    seed: 1,
    numRuns: 1
  })
  if (history === undefined) throw new Error("no history was drawn")

  const observations = await runHistory(history, {
    start({ setup }) {
      started.push(setup.profile)
      return startVirtualServer({ profile: setup.profile, logEntriesMax: setup.logEntriesMax })
    }
  })

  expect(started).toEqual([history.setup.profile])
  expect(observations.commands.length).toBeGreaterThanOrEqual(history.steps.length)
  expect(historyLines(history).length).toBe(history.steps.length + 1)
})

test("comparisons run a history themselves", async () => {
  await fc.assert(fc.asyncProperty(arbitraries.anyHistory, comparisons.determinism), { seed: 1, numRuns: 5 })
})
