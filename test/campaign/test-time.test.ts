import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { SimProgram } from "../../src/campaign/campaign.ts"
import { CampaignTimedOut } from "../../src/sim.ts"
import { failureOf, inFolder, run } from "./sim-tests.ts"

/** A program whose runs take real time by the clock that tests hand out, and a failure that takes many runs to be made small. */
const slow = (runMs: number, { fails = true } = {}) => {
  let at = 0
  let runs = 0
  const body: SimProgram = (sim) => {
    runs++
    at += runMs
    let sum = 0
    for (let draw = 0; draw < 30; draw++) sum += sim.choice.draw(7, `q${draw}/x`)
    if (fails && sum > 60) throw new Error("a big sum")
  }
  return { body, now: () => at, runs: () => runs }
}

const keptIn = (corpus: string): ReadonlyArray<string> => JSON.parse(readFileSync(corpus, "utf8"))["an update"]

// Seen to fail with shrinking that time does not bound.
describe("A simulated test that takes long", () => {
  it("tells its failure in time, small as far as there was time", async () => {
    const hurried = slow(300)
    const { body, now } = hurried
    const unhurried = slow(0)

    const failure = await failureOf(run({ corpus: false, runs: 300, timeoutMs: 6_000 }, {}, { body, now }))
    await failureOf(run({ corpus: false, runs: 300 }, {}, { body: unhurried.body }))

    expect(failure.message).toMatch(/^a big sum\nfound in run \d+ of seed 0;/)
    expect(now()).toBeLessThan(6_000)
    expect(hurried.runs()).toBeLessThan(unhurried.runs())
  })

  it("keeps a failure as soon as it is found, and then the smaller one in its place", async () => {
    const corpus = join(inFolder(), "some.test.json")
    const { body } = slow(0)
    const kept: Array<string> = []
    let shrinks = 0
    const peeking: SimProgram = (sim) => {
      const before = kept.length
      try {
        return body(sim)
      } catch (error) {
        // The third failing run is one of shrinking: found, checked, shrunk.
        if (++shrinks > 2 && before === 0) kept.push(...keptIn(corpus))
        throw error
      }
    }

    const failure = await failureOf(run({ corpus, runs: 300 }, {}, { body: peeking }))
    expect(kept).toHaveLength(1)
    expect(kept[0]).not.toBe(failure.token)
    expect(keptIn(corpus)).toEqual([failure.token])
  })

  it("fails when there was no time for its runs, and stops", async () => {
    const { body, now, runs } = slow(300, { fails: false })
    const running = run({ corpus: false, runs: 300, timeoutMs: 12_000 }, {}, { body, now })

    await expect(running).rejects.toThrow(CampaignTimedOut)
    await expect(running).rejects.toThrow(
      "of 300 runs fitted into the time of the test (timeoutMs: 12000), and none of them failed; give it more time, fewer runs"
    )
    expect(now()).toBeLessThan(12_000)
    expect(runs()).toBeGreaterThan(20)
  })

  it("passes when its budget says how many runs there are", async () => {
    const { body, now, runs } = slow(300, { fails: false })

    await run({ corpus: false, budgetMs: 6_000, timeoutMs: 60_000 }, {}, { body, now })
    expect(runs()).toBeGreaterThan(15)
    expect(now()).toBeLessThan(8_000)
  })
})
