import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { arbitraries, sentRequest } from "../../src/properties.ts"
import { type ChoiceData, listedChoice, type SimWorld, withSim } from "../../src/sim.ts"

const drawn = (choice: ChoiceData): Promise<ReadonlyArray<number>> =>
  withSim({ choice }, ({ choice: { draw } }) => [draw(3, "a/x"), draw(3, "b/x"), draw(3, "a/y"), draw(3, "b/y")])

// Seen to fail with a run that stays calm whatever it is given.
describe("The choices of a single run", () => {
  it("come from a source", async () => {
    const [one, other] = await withSim({ choice: listedChoice([2, 1]) }, ({ choice }) => [
      choice.draw(3, "a"),
      choice.draw(3, "b")
    ])
    expect([one, other]).toEqual([2, 1])
  })

  it("come from lists by the names of forks, or in the order in which forks ask", async () => {
    expect(await drawn({ "test/a": [1, 2], "test/b": [2] })).toEqual([1, 2, 2, 0])
    expect(await drawn({ "test/b": [1] })).toEqual([0, 1, 0, 0])
    expect(await drawn([[1, 2], [4]])).toEqual([1, 1, 2, 0])
    expect(await drawn([[], [2, 2]])).toEqual([0, 2, 0, 2])
    expect(await drawn([])).toEqual([0, 0, 0, 0])
  })

  it("give the same run every time, under the seed 0", async () => {
    const seeds = await Promise.all([1, 2].map(() => withSim({ choice: [[1]] }, ({ seed }) => seed)))
    expect(seeds).toEqual([0, 0])
  })
})

describe("Generated choices", () => {
  /** Sends requests, and each again when its connection broke: what the server had done by then it does twice. */
  const sendAll = async (sim: SimWorld, requests: ReadonlyArray<Parameters<typeof sentRequest>[0]>) => {
    const server = await sim.startServer()
    const once = { ...ScriptedResponse.json(200, {}), times: 1 }
    server.expectResponse("once", InferenceRequestMatcher.auxiliary("ChatCompletions"), once)
    const send = async (request: (typeof requests)[number]): Promise<void> => {
      const { method, target, headers, body } = sentRequest(request)
      const path = target.startsWith("/v1") ? target : `/v1${target}`
      const ask = () =>
        sim.fetch("ann")(`${server.origin()}${path}`, { method, headers: [...headers].map(([...one]) => one), body })
      const response = await ask().catch(ask)
      await response.text()
    }
    for (const request of requests) await send(request)
    if (server.requestCount() > requests.length) throw new Error("a request arrived twice")
  }

  it("shrink with a workload of generated requests and the faults of the network", async () => {
    const faults = { rst: 1 / 4, cut: 1 / 4 }
    const property = fc.asyncProperty(
      fc.array(arbitraries.request, { maxLength: 5 }),
      arbitraries.choices(),
      (requests, choice) =>
        withSim({ choice, network: { faults } }, (sim) =>
          sendAll(sim, requests).catch((error: Error) => {
            if (error.message.includes("twice")) throw error
          })
        )
    )

    const { counterexample, failed } = await fc.check(property, { seed: 7, numRuns: 300 })
    const [requests = [], choices = []] = counterexample ?? []
    expect(failed).toBe(true)
    expect(requests).toHaveLength(1)
    expect(choices.flat().filter((answer) => answer !== 0)).toHaveLength(1)
  })

  // Seen to fail when no generated answer was above 15, and a rare fault was the last of as many answers.
  it.each([1 / 4, 1 / 17, 1 / 20, 1 / 200])("reach a fault of the rate %d, and make it one choice", async (rate) => {
    const property = fc.asyncProperty(arbitraries.choices(), (choice) =>
      withSim({ choice, network: { faults: { rst: rate } } }, async (sim) => {
        const server = await sim.startServer()
        for (let request = 0; request < 5; request++) await sim.fetch("ann")(`${server.url()}/models`)
      })
    )

    const { counterexample, failed } = await fc.check(property, { seed: 1, numRuns: 2_000 })
    expect(failed).toBe(true)
    expect(counterexample?.[0].flat().filter((answer) => answer !== 0)).toHaveLength(1)
  })

  it("reach every answer of a draw of the test's own", async () => {
    const drawn = new Set<number>()
    const property = fc.asyncProperty(arbitraries.choices({ forks: ["test"] }), (choice) =>
      withSim({ choice }, (sim) => void drawn.add(sim.choice.draw(40, "pick")))
    )

    await fc.check(property, { seed: 1, numRuns: 2_000 })
    expect(drawn.size).toBe(40)
  })

  it("of the schedule alone leave all else calm", async () => {
    const property = fc.asyncProperty(arbitraries.schedule(), async (choice) => {
      const order: Array<string> = []
      await withSim({ choice }, async (sim) => {
        const late = sim.choice.draw(9, "late")
        await Promise.all(
          ["ann", "bob"].map((name) => sim.as(name, () => sim.sleep(1 + late).then(() => order.push(name))))
        )
      })
      if (order[0] === "bob") throw new Error("bob was first")
    })

    const { counterexample } = await fc.check(property, { seed: 1 })
    expect(counterexample).toEqual([{ schedule: [expect.any(Number)] }])
  })
})
