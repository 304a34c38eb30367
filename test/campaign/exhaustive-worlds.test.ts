import { describe, expect, test } from "vitest"
import { explore, type SimProgram, type SimWorld } from "../../src/sim.ts"

// Seen to fail when operations of two clients counted as independent: a search of two runs called itself complete.

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Lets clients do something at the same moment, and gives the order in which they did. */
const together = async (sim: SimWorld, clients: ReadonlyArray<string>): Promise<string> => {
  const seen: Array<string> = []
  const act = async (client: string): Promise<void> => {
    await later(5)
    seen.push(client)
  }
  await Promise.all(clients.map((client) => sim.as(client, () => act(client))))
  return seen.join()
}

const tried = async (body: SimProgram) => {
  const { stats, coverage, isComplete } = await explore({ strategy: "dfs", runs: 1_000 }, body)
  return { runs: stats.runs - stats.cut, cut: stats.cut, coverage: [...coverage].sort(), isComplete }
}

describe("Depth-first search of a simulated world", () => {
  test("tries every order of what clients do, for they share the memory of the test", async () => {
    const orders = await tried(async (sim) => sim.cover(await together(sim, ["ann", "bob", "cat"])))

    expect(orders.coverage.filter((reached) => reached.includes(","))).toEqual([
      "ann,bob,cat",
      "ann,cat,bob",
      "bob,ann,cat",
      "bob,cat,ann",
      "cat,ann,bob",
      "cat,bob,ann"
    ])
    expect(orders).toMatchObject({ runs: 6, isComplete: true })
  })

  test("finds what only happens when the second client goes first", async () => {
    const campaign = tried(async (sim) => {
      if ((await together(sim, ["ann", "bob"])).startsWith("bob")) throw new Error("bob first")
    })

    await expect(campaign).rejects.toThrow("bob first")
  })

  test("finds a lost update", async () => {
    const campaign = tried(async (sim) => {
      let stock = 1
      let sold = 0
      const buy = async (): Promise<void> => {
        await later(10)
        const seen = stock
        await later(1 + sim.choice.draw(2, "think"))
        if (seen === 0) return
        stock = seen - 1
        sold++
      }
      await Promise.all(["ann", "bob"].map((client) => sim.as(client, buy)))
      if (sold > 1) throw new Error(`sold ${sold}`)
    })

    await expect(campaign).rejects.toThrow("sold 2")
  })

  test("searches no state twice where the program says its state, and finds the same ends", async () => {
    const adding =
      (isTold: boolean): SimProgram =>
      async (sim) => {
        let sum = 0
        const left = new Map<string, number>()
        if (isTold) sim.stateOf(() => JSON.stringify([sum, [...left]]))
        const add = async (client: string): Promise<void> => {
          for (let turn = 2; turn >= 0; turn--) {
            left.set(client, turn)
            await later(5)
            sum += 1
          }
        }
        await Promise.all(["ann", "bob"].map((client) => sim.as(client, () => add(client))))
        sim.cover(`sum ${sum} at ${sim.now()}`)
      }
    const plain = await tried(adding(false))
    const told = await tried(adding(true))

    expect(plain).toMatchObject({ runs: 8, cut: 0, isComplete: true })
    expect(told).toMatchObject({ runs: 2, cut: 2, isComplete: true })
    expect(told.coverage).toEqual(plain.coverage)
  })

  // Seen to fail when a fault was the last of as many answers as its rate asks for: 7,621 runs at 1/20.
  test.each([1 / 2, 1 / 20, 1 / 1_000])("tries a fault of the rate %d as often as any other", async (rate) => {
    const network = { latenciesMs: [1], distancesMs: [0], faults: { rst: rate } }
    const found = await explore({ strategy: "dfs", network, checkShare: 0 }, async (sim) => {
      const { near, far } = sim.socketPair("ann")
      for (const end of [near, far]) end.on("error", () => undefined)
      far.resume()
      for (const text of ["one", "two", "three"]) {
        near.write(text)
        await sim.sleep(5)
      }
    })

    // None, or one of three; both ends are told of it, in either order.
    expect(found).toMatchObject({ isComplete: true, stats: { runs: 7 } })
  })

  test("counts timers under way as state, also when the program does not name them", async () => {
    const found = await tried(async (sim) => {
      sim.stateOf(() => "")
      const first = await together(sim, ["ann", "bob"])
      if (first.startsWith("bob")) await later(1)
      await Promise.all([later(1), later(2)])
      sim.cover(`at ${sim.now()}`)
    })

    expect(found.coverage.filter((reached) => reached.startsWith("at"))).toEqual(["at 7", "at 8"])
    expect(found.isComplete).toBe(true)
  })
})
