import { afterEach, expect, test } from "vitest"
import { explore, type SimProgram } from "../../src/sim.ts"

const before = process.env["SIM_REPLAY"]

afterEach(() => {
  if (before === undefined) delete process.env["SIM_REPLAY"]
  else process.env["SIM_REPLAY"] = before
})

/** Fails in one of many runs. */
const rare: SimProgram = (sim) => {
  if (sim.choice.draw(50, "rare") === 49) throw new Error("found")
}

const told = (program: SimProgram, runs: number): Promise<string> =>
  explore({ runs, shrinkRunsMax: 0 }, program).then(
    ({ stats }) => `${stats.runs} runs`,
    (error: Error) => error.message
  )

const tokenIn = (text: string): string => /SIM_REPLAY='([^']+)'/.exec(text)?.[1] ?? ""

test("a token that explore printed is tried first, and by its program alone", async () => {
  const token = tokenIn(await told(rare, 1_000))
  process.env["SIM_REPLAY"] = token

  expect(await told(rare, 1)).toContain("found")
  expect(await told((sim) => sim.choice.draw(3, "another"), 2)).toBe("2 runs")
})

test("one that cannot be read is told", async () => {
  process.env["SIM_REPLAY"] = "no token"

  expect(await told(rare, 1)).toContain('no replay token: it begins with "no token"')
})
