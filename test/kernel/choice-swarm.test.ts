import { describe, expect, it } from "vitest"
import { forkedChoice } from "../../src/kernel/choice-forked.ts"
import { swarmChoice } from "../../src/kernel/choice-swarm.ts"

const sites = ["net/c1/rst", "net/c1/latency", "net/c2/rst", "net/c2/latency"]

/** Per site how many of 100 draws were not calm. */
const fired = (seed: number): ReadonlyArray<number> => {
  const choice = swarmChoice(forkedChoice(seed), { seed })
  return sites.map(
    (site) => Array.from({ length: 100 }, () => choice.draw(8, site)).filter((answer) => answer > 0).length
  )
}

describe("A swarm", () => {
  it("switches some sites off for a whole run, and other ones in other runs", () => {
    const runs = Array.from({ length: 200 }, (_, seed) => fired(seed).map((count) => count > 0))
    const patterns = new Set(runs.map((active) => active.map(Number).join("")))
    const activeShare = runs.flat().filter(Boolean).length / (200 * sites.length)

    expect(patterns.size).toBeGreaterThan(8)
    expect(activeShare).toBeGreaterThan(0.3)
    expect(activeShare).toBeLessThan(0.6)
  })

  it("reaches the rarest answer more often in an eager run than chance does", () => {
    const rarest = (seed: number): number => {
      const choice = swarmChoice(forkedChoice(seed), { seed })
      return Array.from({ length: 200 }, () => choice.draw(64, "net/c1/rst")).filter((answer) => answer === 63).length
    }

    expect(Math.max(...Array.from({ length: 20 }, (_, seed) => rarest(seed)))).toBeGreaterThan(12)
  })

  it("never switches off the order of events", () => {
    for (let seed = 0; seed < 50; seed++) {
      const choice = swarmChoice(forkedChoice(seed), { seed })
      expect(Array.from({ length: 20 }, () => choice.draw(4, "schedule")).some((answer) => answer > 0)).toBe(true)
    }
  })

  it("stays within what is possible", () => {
    for (let seed = 0; seed < 50; seed++) {
      const choice = swarmChoice(forkedChoice(seed), { seed })
      for (const n of [1, 2, 3]) {
        for (let count = 0; count < 30; count++) expect(choice.draw(n, "a/x")).toBeLessThan(n)
      }
    }
  })
})
