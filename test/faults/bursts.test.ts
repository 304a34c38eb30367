import { expect, it } from "vitest"
import { simulateChoices } from "../../src/faults/chance/simulate-choices.ts"
import { defaultRandomWeights, readWeights } from "../../src/faults/chance/weights.ts"
import type { IncidenceProfile } from "../../src/faults.ts"
import { virtualFaults } from "../support/fault-world.ts"

const requests = 1_000
const weights = readWeights(defaultRandomWeights)
const calm: IncidenceProfile = { name: "mine", version: 1, kind: "pressure", weights }
const bursty: IncidenceProfile = { ...calm, burst: { enter: 0.1, leave: 0.4, weights: [["stall", 1]] } }

/** What a server does to so many requests, one after the other. */
const behaviors = (profile: IncidenceProfile): ReadonlyArray<string> => {
  const { server, ask, clock } = virtualFaults({ sequence: ["random"], repeatLast: true, randomSeed: 42, profile })
  for (let request = 0; request < requests; request++) ask()
  clock.settle()
  return server.requests.map(({ behavior }) => behavior)
}

it("a server with bursts does the same twice, and without them what the weights alone do", () => {
  const baseline = simulateChoices({ seed: 42, weights, requests })

  expect(behaviors(bursty)).toEqual(behaviors(bursty))
  expect(behaviors(calm)).toEqual(baseline)
  // Outside of incidents the choices are the baseline's, too.
  const differing = behaviors(bursty).filter((behavior, at) => behavior !== baseline[at])
  expect(new Set(differing)).toEqual(new Set(["stall"]))
  expect(differing.length).toBeGreaterThan(100)
})
