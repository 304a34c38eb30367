import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { checkProperty, readSettings } from "../../properties/check.ts"

/** Runs a property that fails for integers above ten and collects what it was given. */
const failing = (name: string) => {
  const seen: Array<number> = []
  const property = fc.property(fc.nat(), (n) => {
    seen.push(n)
    expect(n).toBeLessThanOrEqual(10)
  })
  try {
    checkProperty(name, property)
  } catch (error) {
    return { seen, message: error instanceof Error ? error.message : "" }
  }
  return { seen, message: "" }
}

const tokenIn = (message: string): string => /^REPLAY='(.*)'$/m.exec(message)?.[1] ?? ""

beforeEach(() => {
  for (const variable of ["SEED", "RUNS", "REPLAY"]) vi.stubEnv(variable, undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

describe("checkProperty", () => {
  it("prints a line that replays exactly the shrunk counterexample", () => {
    const first = failing("small numbers")
    vi.stubEnv("REPLAY", tokenIn(first.message))
    const again = failing("small numbers")

    expect(first.seen.length).toBeGreaterThan(1)
    expect(again.seen).toEqual([11])
    expect(tokenIn(again.message)).toBe(tokenIn(first.message))
  })

  it("runs no property of another name when one is replayed", async () => {
    vi.stubEnv("REPLAY", "large numbers|1:0")

    expect(failing("small numbers").seen).toEqual([])
    await checkProperty(
      "slow",
      fc.asyncProperty(fc.nat(), async () => false)
    )
  })

  it("gives a promise for an asynchronous property, rejected with the same line", async () => {
    const property = fc.asyncProperty(fc.nat(), async (n) => n <= 10)

    await expect(checkProperty("slow", property)).rejects.toThrow(/^REPLAY='slow\|20260:\d+(:\d+)*'$/m)
  })

  it("passes a property that holds", () => {
    expect(
      checkProperty(
        "true",
        fc.property(fc.nat(), () => true)
      )
    ).toBeUndefined()
  })

  it("runs as often as RUNS says, else as the property asks, else a hundred times", () => {
    expect(readSettings("x", {}, {}).numRuns).toBe(100)
    expect(readSettings("x", { runs: 7 }, {}).numRuns).toBe(7)
    expect(readSettings("x", { runs: 7 }, { RUNS: "5000" }).numRuns).toBe(5000)
  })

  it("takes the seed from SEED", () => {
    expect(readSettings("x", {}, {}).seed).toBe(20_260)
    expect(readSettings("x", {}, { SEED: "-4" }).seed).toBe(-4)
  })

  it.each([{ SEED: "12x" }, { RUNS: "many" }, { REPLAY: "x|12:" }, { REPLAY: "x|seed:0" }])(
    "refuses %o",
    (environment) => {
      expect(() => readSettings("x", {}, environment)).toThrow(/must/)
    }
  )
})
