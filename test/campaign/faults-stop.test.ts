import { describe, expect, it } from "vitest"
import { explore, type FuzzClient, fuzz, type SimWorld } from "../../src/sim.ts"

/** Asks until it has an answer, every time for two seconds at most. */
const insist = async (sim: SimWorld, url: string): Promise<void> => {
  for (;;) {
    try {
      const response = await sim.fetch("ann")(url, { signal: AbortSignal.timeout(2_000) })
      await response.text()
      return
    } catch {
      await sim.sleep(500)
    }
  }
}

const tell = (sim: SimWorld): void => sim.tell({ type: "faults.stopped" })

// Seen to fail when `faults.stopped` was told to judges alone, and the network went on dropping.
describe("When faults stop", () => {
  it("every network of the world is without faults, and whoever insists is answered", async () => {
    const network = { faults: { drop: 1 / 2, refuse: 1 / 2 } }
    const found = await explore(
      { runs: 300, network, judge: { settleBudgetMs: 10_000 }, checkShare: 0 },
      async (sim) => {
        const server = await sim.startServer()
        await sim.sleep(1_000)
        tell(sim)
        await sim.call("ann", () => insist(sim, `${server.url()}/models`))
      }
    )

    expect(found.stats.runs).toBe(300)
  })

  it("pairs that are made later or were made before have none either", async () => {
    const lost: Array<string> = []
    await explore({ runs: 100, network: { faults: { drop: 1 / 2 } }, checkShare: 0 }, async (sim) => {
      const early = sim.socketPair("early")
      tell(sim)
      const late = sim.socketPair("late")
      for (const { near, far } of [early, late]) {
        far.resume().once("end", () => far.end())
        near.on("close", () => lost.push("never")).end("hello")
        near.resume()
        await new Promise((closed) => near.once("close", closed))
      }
    })

    expect(lost).toHaveLength(200)
  })
})

describe("A model that is fuzzed with", () => {
  const ask = async (fetch: typeof globalThis.fetch, baseURL: string, prompt: string): Promise<string> => {
    const response = await fetch(`${baseURL}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: prompt }] })
    })
    const { choices } = JSON.parse(await response.text())
    return choices[0].message.content
  }
  /** As patient as an answer can be slow, and a little. */
  const patient: FuzzClient =
    ({ baseURL, fetch }) =>
    ({ prompt }) =>
      ask(fetch, baseURL, prompt)

  // Seen to fail when faults stopped as soon as the last faulty answer began: it takes 30 s, and had 20.
  it("fails no longer when its last faulty answer is over, and not when it begins", async () => {
    const workload = { faults: ["slow"], faultsMax: 1, abortsMs: [], clientsMax: 1, turnsMax: 1, toolsMax: 0 } as const

    const found = await fuzz(patient, { settleBudgetMs: 20_000 }, { runs: 100, workload, checkShare: 0 })
    expect(found.stats.runs).toBe(100)
  })
})
