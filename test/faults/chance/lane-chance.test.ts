import { describe, expect, it } from "vitest"
import { laneChance } from "../../../src/faults/chance/lane-chance.ts"
import { readProfile } from "../../../src/faults/chance/read-profile.ts"
import { simulateChoices } from "../../../src/faults/chance/simulate-choices.ts"
import { defaultRandomWeights, parseWeights, readWeights } from "../../../src/faults/chance/weights.ts"
import { calmChoice, type Draw, listedChoice, recordedChoice } from "../../../src/kernel/choice-sources.ts"
import { derive } from "../../../src/kernel/derive-seed.ts"
import { mulberry32 } from "../../../src/kernel/mulberry32.ts"

const stress = readWeights(defaultRandomWeights)
const burst = { enter: 0.1, leave: 0.4, weights: [["stall", 1]] }
const timing = {
  chunkDelayMs: { kind: "uniform", leastMs: 10, mostMs: 20 },
  headDelayMs: { kind: "exponential", meanMs: 100, capMs: 250 }
}
const profileOf = (more: object) =>
  readProfile({ name: "mine", version: 1, kind: "pressure", weights: stress, ...more })
const times = (count: number, choose: () => string): ReadonlyArray<string> => Array.from({ length: count }, choose)

describe("the chance of a lane", () => {
  it.each([
    ["default", "connection_reset, success, stall, stream_disconnect, success"],
    ["alpha", "success, partial_disconnect, success, empty, success"],
    ["beta", "success, rate_limit, success, success, success"]
  ])("follows from seed and key alone in lane %s", (lane, expected) => {
    expect(times(5, laneChance({ seed: 42, lane, weights: stress }).choose).join(", ")).toBe(expected)
  })

  it("is that of lane default without a key", () => {
    const choices = times(20, laneChance({ seed: 42, weights: stress }).choose)

    expect(choices).toEqual(times(20, laneChance({ seed: 42, lane: "default", weights: stress }).choose))
  })

  it("labels its draws with another name where the key is a secret", () => {
    const draws: Array<Draw> = []
    const choice = recordedChoice(calmChoice, draws)
    const chance = laneChance({ seed: 42, lane: "token", label: "bearer 1", weights: stress, choice })
    const seeded = laneChance({ seed: 42, lane: "alpha", label: "bearer 1", weights: stress })

    expect([chance.choose(), draws[0]?.label]).toEqual(["success", "fault/bearer 1"])
    expect(seeded.choose()).toBe(laneChance({ seed: 42, lane: "alpha", weights: stress }).choose())
  })

  it("says where its streams are", () => {
    const chance = laneChance({ seed: 42, profile: profileOf({ burst, timing }) })
    const before = chance.state()
    chance.choose()
    chance.timing("headDelayMs")
    chance.choose()

    expect(before).toEqual({ choiceDraws: 0, incidentDraws: 0, jitterDraws: 0, isIncident: false })
    expect(chance.state()).toMatchObject({ choiceDraws: 2, incidentDraws: 2, jitterDraws: 1 })
  })
})

describe("bursts", () => {
  it("take one draw of the incident stream and one of choices for each entry", () => {
    const incident = mulberry32(derive(42, "incident"))
    const plain = laneChance({ seed: 42, weights: stress })
    let isIncident = false
    const expected = times(1_000, () => {
      const unit = incident() / 2 ** 32
      isIncident = isIncident ? unit >= burst.leave : unit < burst.enter
      const calm = plain.choose()
      return isIncident ? "stall" : calm
    })
    const profile = profileOf({ burst })

    expect(simulateChoices({ seed: 42, profile, requests: 1_000 })).toEqual(expected)
    expect(simulateChoices({ seed: 42, profile, requests: 1_000 })).toEqual(expected)
    expect(expected.filter((name) => name === "stall").length).toBeGreaterThan(100)
  })

  it("that never begin, and none at all, leave the baseline choices", () => {
    const baseline = simulateChoices({ seed: 42, weights: stress, requests: 1_000 })

    expect(simulateChoices({ seed: 42, profile: profileOf({}), requests: 1_000 })).toEqual(baseline)
    expect(
      simulateChoices({ seed: 42, profile: profileOf({ burst: { ...burst, enter: 0 } }), requests: 1_000 })
    ).toEqual(baseline)
  })

  it("that always begin and never end are all incident", () => {
    const profile = profileOf({ burst: { ...burst, enter: 1, leave: 0 } })

    expect(new Set(simulateChoices({ seed: 42, profile, requests: 100 }))).toEqual(new Set(["stall"]))
  })

  it("are drawn from another source where there is one, calm first, and only as the probabilities allow", () => {
    const draws: Array<Draw> = []
    const choice = recordedChoice(listedChoice([0, 0, 1, 0, 1, 0, 0, 0]), draws)
    const chance = laneChance({ seed: 42, lane: "alpha", profile: profileOf({ burst }), choice })

    expect(times(4, chance.choose)).toEqual(["success", "stall", "stall", "success"])
    expect(draws.map(({ label, n }) => `${label} ${n}`)).toEqual([
      "incident/alpha 2",
      "fault/alpha 13",
      "incident/alpha 2",
      "fault/alpha 1",
      "incident/alpha 2",
      "fault/alpha 1",
      "incident/alpha 2",
      "fault/alpha 13"
    ])
  })

  it.each([
    [{ enter: 0, leave: 0 }, 1, ["success", "success"]],
    [{ enter: 1, leave: 0 }, 0, ["stall", "stall"]],
    [{ enter: 1, leave: 1 }, 1, ["stall", "success"]]
  ])("have no choice with %o", (probabilities, answer, expected) => {
    const profile = profileOf({ weights: [["success", 1]], burst: { ...burst, ...probabilities } })
    const chance = laneChance({ seed: 42, profile, choice: { draw: (n) => Math.min(answer, n - 1) } })

    expect(times(2, chance.choose)).toEqual(expected)
  })
})

describe("timing", () => {
  it("never changes which faults occur", () => {
    const calm = laneChance({ seed: 42, profile: profileOf({ burst }) })
    const jittered = laneChance({ seed: 42, profile: profileOf({ burst, timing }) })
    const choices = times(200, () => {
      jittered.timing("headDelayMs")
      jittered.timing("chunkDelayMs")
      return jittered.choose()
    })

    expect(choices).toEqual(times(200, calm.choose))
  })

  it("is drawn from the jitter stream of the lane", () => {
    const chance = laneChance({ seed: 42, profile: profileOf({ timing }) })
    const units = [868093473, 2053897773, 3761587381].map((output) => output / 2 ** 32)

    expect(units.map(() => chance.timing("chunkDelayMs"))).toEqual(units.map((unit) => 10 + Math.floor(unit * 11)))
  })

  it("stays in its range and comes to both ends of it", () => {
    const chance = laneChance({ seed: 42, profile: profileOf({ timing }) })
    const uniform = Array.from({ length: 1_000 }, () => chance.timing("chunkDelayMs") ?? -1)
    const exponential = Array.from({ length: 1_000 }, () => chance.timing("headDelayMs") ?? -1)

    expect([Math.min(...uniform), Math.max(...uniform)]).toEqual([10, 20])
    expect([Math.min(...exponential), Math.max(...exponential)]).toEqual([0, 250])
    expect(exponential.every(Number.isInteger)).toBe(true)
  })

  it("has the mean that was asked for where no cap is near", () => {
    const long = { headDelayMs: { kind: "exponential", meanMs: 100, capMs: 100_000 } }
    const chance = laneChance({ seed: 42, profile: profileOf({ timing: long }) })
    const sum = Array.from({ length: 10_000 }, () => chance.timing("headDelayMs") ?? 0).reduce((a, b) => a + b, 0)

    expect(sum / 10_000).toBeGreaterThan(96)
    expect(sum / 10_000).toBeLessThan(104)
  })

  it("is left to the options where the profile says nothing, and takes no draw when it is fixed", () => {
    const fixed = laneChance({ seed: 42, profile: profileOf({ timing: { headDelayMs: { kind: "fixed", ms: 7 } } }) })

    expect(laneChance({ seed: 42, weights: stress }).timing("headDelayMs")).toBe(null)
    expect([fixed.timing("headDelayMs"), fixed.timing("chunkDelayMs")]).toEqual([7, null])
    expect(fixed.state().jitterDraws).toBe(0)
  })

  it("is shortest with a calm source, and drawn in sixteenths from others", () => {
    const profile = profileOf({ timing })
    const draws: Array<Draw> = []
    const calm = laneChance({ seed: 42, profile, choice: recordedChoice(calmChoice, draws) })
    const late = laneChance({ seed: 42, profile, choice: listedChoice([15, 8]) })

    expect([calm.timing("chunkDelayMs"), calm.timing("headDelayMs")]).toEqual([10, 0])
    expect(draws.map(({ label, n }) => `${label} ${n}`)).toEqual(["jitter/default 16", "jitter/default 16"])
    expect([late.timing("chunkDelayMs"), late.timing("headDelayMs")]).toEqual([20, 69])
  })
})

describe("simulated choices", () => {
  it("are those of a lane", () => {
    const weights = parseWeights("success=1,empty=1")
    const alpha = simulateChoices({ weights, seed: 42, requests: 5, lane: "alpha" })

    expect(simulateChoices({ weights, seed: 42, requests: 4 })).toEqual(["empty", "success", "empty", "empty"])
    expect(alpha).toEqual(times(5, laneChance({ seed: 42, lane: "alpha", weights }).choose))
    expect(simulateChoices({ weights, seed: 42, requests: 0 })).toEqual([])
  })

  it.each([
    [{ seed: -1, requests: 1 }, "seed is -1; give an integer between 0 and 4294967295"],
    [{ seed: 4294967296, requests: 1 }, "seed is 4294967296"],
    [{ seed: 1, requests: 1.5 }, "requests is 1.5"],
    [{ seed: 1, requests: 1_000_001 }, "integer between 0 and 1000000"]
  ])("refuse %o", (options, words) => {
    expect(() => simulateChoices({ weights: stress, ...options })).toThrow(words)
  })
})
