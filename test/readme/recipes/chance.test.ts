import { startFaultServer } from "llm-understudy/faults"
import { expect, test } from "vitest"

test("the same seed and the same requests give the same faults", async () => {
  const run = async (randomSeed?: number) => {
    await using server = await startFaultServer({
      sequence: ["random"],
      repeatLast: true,
      randomWeights: { success: 3, rate_limit: 1, server_error: 1 }, // their order counts
      ...(randomSeed === undefined ? {} : { randomSeed })
    })
    for (let request = 0; request < 10; request++) {
      await fetch(`${server.url}/chat/completions`, { method: "POST", body: "{}" })
    }
    return { seed: server.randomSeed, faults: server.requests.map(({ behavior }) => behavior) }
  }

  const first = await run() // a seed that nobody chose, and that a failing test should print
  expect((await run(first.seed)).faults).toEqual(first.faults)
})
