import { expect, test, vi } from "vitest"
import { withSim } from "../../src/sim.ts"
import { sleep } from "./fence-world.ts"

/** No real millisecond in which a load that nobody sees could come back. */
const noGrace = { limits: { graceMs: 0 } }

test("A module that is loaded inside a run is waited for, also when Vitest has to fetch it and others behind it", async () => {
  const seen = await withSim(noGrace, async (sim) => {
    const { readDocument } = await import("../../src/cli/yaml-document.ts")
    return { kind: typeof readDocument, at: sim.now() }
  })
  expect(seen).toEqual({ kind: "function", at: 0 })
})

test("A package that is loaded inside a run is waited for, though no run may read files", async () => {
  const seen = await withSim(noGrace, async () => {
    const { parse } = await import("yaml")
    return parse("a: 1")
  })
  expect(seen).toEqual({ a: 1 })
})

test("Two modules that are loaded at once are there before time goes on", async () => {
  const seen: Array<string> = []
  await withSim(noGrace, async () => {
    const timer = sleep(1).then(() => seen.push("timer"))
    const loads = ["node:readline", "fast-check"].map((name) => import(name).then(() => seen.push("module")))
    await Promise.all([timer, ...loads])
  })
  expect(seen).toEqual(["module", "module", "timer"])
})

test("A hang names the real timers of the test runner, which no run waits for", async () => {
  const hang = withSim(noGrace, async () => {
    let isThere = false
    setTimeout(() => {
      isThere = true
    }, 50)
    await vi.waitFor(() => expect(isThere).toBe(true))
  })
  await expect(hang).rejects.toThrow(
    /nothing is left to happen\n.*the test runner has started 2 real timers.*vi\.waitFor/
  )
})

test("A hang without such timers says what else may be waited for", async () => {
  await expect(withSim(noGrace, () => new Promise(() => {}))).rejects.toThrow(/nothing is left to happen\n.*a module/)
})
