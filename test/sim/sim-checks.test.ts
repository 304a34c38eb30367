import { expect, test } from "vitest"
import { type SimWorld, withSim } from "../../src/sim.ts"

/** What callers without types give. */
const untyped = (sim: SimWorld): Readonly<Record<string, (...given: ReadonlyArray<unknown>) => unknown>> =>
  Object.fromEntries(Object.entries(sim).filter(([, member]) => typeof member === "function"))

const refused = (body: (sim: SimWorld) => unknown): Promise<string> =>
  withSim({ limits: { stepsMax: 100 } }, body).then(String, (error: Error) => `${error.name}: ${error.message}`)

test.each([["2s"], [Number.NaN], [undefined], [-1]])("sim.sleep(%j) is refused", async (ms) => {
  expect(await refused((sim) => untyped(sim)["sleep"]?.(ms))).toContain("InvalidOption: sim.sleep(ms): ms is")
})

test.each([[0], [-1], [2.5], ["3"]])("sim.choice.draw(%j) is refused", async (n) => {
  expect(await refused((sim) => Reflect.apply(sim.choice.draw, sim.choice, [n, "label"]))).toContain(
    "give a whole number from 1 and a text"
  )
})

test("servers say what they need", async () => {
  expect(await refused((sim) => untyped(sim)["startServer"]?.({ over: "byte" }))).toContain('over is "byte"')
  expect(await refused((sim) => untyped(sim)["startFaultServer"]?.())).toContain("sequence")
})
