import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { SimProgram } from "../../src/campaign/campaign.ts"
import { Deadlock, explore, GoalsMissed, replay, simTest, withSim } from "../../src/sim.ts"
import { failureOf, inFolder, lostUpdate, run } from "./sim-tests.ts"

it("a program runs once in a world of its own, and gives what it returns", async () => {
  const real = Date.now()

  const seen = await withSim({}, async (sim) => {
    const began = Date.now()
    await new Promise((resolve) => setTimeout(resolve, 60_000))
    return { passed: Date.now() - began, now: sim.now(), year: new Date(began).getUTCFullYear() }
  })

  expect(seen).toEqual({ passed: 60_000, now: 60_000, year: 2030 })
  expect(Date.now() - real).toBeLessThan(30_000)
})

it("a program that waits for what never comes is told so at once", async () => {
  await expect(withSim({}, () => new Promise(() => {}))).rejects.toThrow(Deadlock)
})

it("a failure says what failed, how far the run is from the calm one, and how to have it again", async () => {
  const failure = await failureOf(explore({ runs: 200 }, lostUpdate))

  expect(failure.message).toMatch(
    /^2 of 3 updates\nfound in run \d+ of seed 0; (?:1 choice is|\d+ choices are) not calm/
  )
  expect(failure.message).toContain(`SIM_REPLAY='${failure.token}'`)
  await expect(replay(failure.token, {}, lostUpdate)).rejects.toThrow("2 of 3 updates")
})

it("a failure of a run in which time decides nothing says so", async () => {
  const early: SimProgram = async (sim) => {
    const first = await Promise.race([sim.sleep(5).then(() => "short"), sim.sleep(9_000).then(() => "long")])
    if (first === "long") throw new Error("the long sleep was over first")
  }
  const failure = await failureOf(explore({ runs: 50, isUntimed: true }, early))

  expect(failure.message).toContain("\nuntimed: anything that was planned could happen next")
  await expect(replay(failure.token, { isUntimed: true }, early)).rejects.toThrow("untimed: ")
  expect((await failureOf(explore({ runs: 200 }, lostUpdate))).message).not.toContain("untimed")
})

it("failing choices are kept beside the test, and tried first", async () => {
  const corpus = join(inFolder(), "__sim__", "some.test.json")
  const failure = await failureOf(run({ corpus, runs: 200 }))

  expect(JSON.parse(readFileSync(corpus, "utf8"))).toEqual({ "an update": [failure.token] })
  const again = await failureOf(run({ corpus, runs: 1 }))
  expect(again.message).toContain("failed before, and fails again when it is tried first (seed 0);")
})

it("nothing is written where CI runs the tests", async () => {
  const corpus = join(inFolder(), "some.test.json")

  await failureOf(run({ corpus, runs: 200 }, { CI: "true" }))

  expect(() => readFileSync(corpus)).toThrow("ENOENT")
})

it("the environment asks for one run, more of them, or others", async () => {
  const { token } = await failureOf(run({ corpus: false, runs: 200 }))

  await expect(run({ corpus: false }, { SIM_REPLAY: token })).rejects.toThrow("2 of 3 updates")
  await expect(run({ corpus: false }, { SIM_REPLAY: "us1.nonsense" })).rejects.toThrow("no replay token")
  let runs = 0
  await run({ corpus: false }, { SIM_RUNS: "7", SIM_SEED: "5" }, { body: async () => void runs++ })
  expect(runs).toBeGreaterThanOrEqual(7)
})

it.each([
  ["0", 7],
  ["1", 14]
])("the environment says which share of the runs is made twice: %s", async (share, expected) => {
  let runs = 0
  await run({ corpus: false }, { SIM_RUNS: "7", SIM_CHECK: share }, { body: async () => void runs++ })
  expect(runs).toBe(expected)
})

it("a campaign fails when no run reached what it was meant to reach", async () => {
  const never: SimProgram = async (sim) => sim.sometimes("a retry while the first try still streams", false)

  await expect(explore({ runs: 5 }, never)).rejects.toThrow(GoalsMissed)
})

simTest("a simulated test is registered with the runner at hand", { runs: 5, corpus: false }, async (sim) => {
  await sim.sleep(10)
  expect(sim.now()).toBe(10)
})
