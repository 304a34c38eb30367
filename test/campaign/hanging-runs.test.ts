import { describe, expect, test } from "vitest"
import { ScriptedResponse } from "../../src/index.ts"
import { withSim } from "../../src/sim.ts"
import { answer, auxiliary, openaiOf, posted, readAll } from "./judged-worlds.ts"

describe("A run that hangs", () => {
  test("says who waits for whom, without judges", async () => {
    const hangs = withSim({ network: { timeouts: { bodyMs: 0, headersMs: 0 } } }, async (sim) => {
      const server = await sim.startServer()
      server.expectResponseBlocked("weather", auxiliary, ScriptedResponse.json(200, {}))
      await sim.call("ann", () => sim.fetch("ann")(`${server.url()}/chat/completions`, posted))
    })

    await expect(hangs).rejects.toThrow(
      '\n  attempt 1 of ann/call 1 (POST /v1/chat/completions) waits for request 1, which waits for the release of "weather"'
    )
  })

  test("says it too when only comments that keep a stream alive go on for ever", async () => {
    const hangs = withSim({ network: { timeouts: { bodyMs: 0 } }, limits: { stepsMax: 200 } }, async (sim) => {
      const server = await sim.startServer()
      server.expectResponseBlocked("weather", auxiliary, answer("calm"))
      await sim.call("ann", () => readAll(openaiOf(sim, server.url())))
    })

    await expect(hangs).rejects.toThrow('waits for request 1, which waits for the release of "weather"')
  })

  test("says what was never seen by a server", async () => {
    const timeouts = { connectMs: 0 }
    const hangs = withSim({ network: { timeouts, faults: { lostConnect: 0.5 } }, seed: 3 }, async (sim) => {
      const server = await sim.startServer()
      await sim.fetch("ann")(`${server.url()}/models`)
    })

    await expect(hangs).rejects.toThrow(
      /attempt 1 of ann\/request 1 \(GET \/v1\/models\) waits for an answer of 127\.0\.0\.1:\d+: no mock server has it/
    )
  })
})
