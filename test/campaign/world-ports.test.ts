import { createServer } from "node:http"
import { Agent, type buildConnector, request } from "undici"
import { expect, test } from "vitest"
import { explore, type SimWorld, withSim } from "../../src/sim.ts"

/** What a client over bytes gets from an address. */
const overBytes = async (sim: SimWorld, url: string): Promise<string> => {
  const dispatcher = new Agent({ connect: sim.connector<buildConnector.connector>("ann") })
  try {
    return await (await request(url, { dispatcher })).body.text()
  } finally {
    await dispatcher.close()
  }
}

// Seen to fail while each network counted its ports alone: all of them had 8001, and the first server answered for the others.
test("no two servers of a world have one address, whatever they are served over", async () => {
  const { origins, answers } = await withSim({}, async (sim) => {
    const ann = await sim.startServer()
    const bob = await sim.startServer({ over: "bytes" })
    const faults = await sim.startFaultServer({ sequence: ["success"], over: "bytes" })
    const own = await sim.serve(createServer((_, response) => response.end("own")))
    const last = await sim.startServer()
    ann.setSettings({ who: "ann" })
    bob.setSettings({ who: "bob" })
    return {
      origins: [ann.origin(), bob.origin(), new URL(faults.url).origin, own, last.origin()],
      answers: [
        await (await sim.fetch("ann")(`${ann.url()}/settings`)).text(),
        await overBytes(sim, `${bob.url()}/settings`),
        await overBytes(sim, own)
      ]
    }
  })

  expect(origins).toEqual([8001, 8002, 8003, 8004, 8005].map((port) => `http://127.0.0.1:${port}`))
  expect(answers).toEqual(['{"who":"ann"}', '{"who":"bob"}', "own"])
})

test("a port that is asked for is refused when a server of the other network has it, until that is closed", async () => {
  const again = await withSim({}, async (sim) => {
    const server = await sim.startServer()
    const taken = sim.serve(createServer(), { port: 8_001 })
    await expect(taken).rejects.toThrow("listen EADDRINUSE: address already in use 127.0.0.1:8001")
    await server.close()
    return await sim.serve(createServer(), { port: 8_001 })
  })

  expect(again).toBe("http://127.0.0.1:8001")
})

// Seen to fail with a bare ECONNREFUSED.
test("a client on the wrong network is told how this address is served", async () => {
  const [fetched, dialled, nobody] = await withSim({}, async (sim) => {
    const own = await sim.serve(createServer())
    const server = await sim.startServer()
    return [
      await sim
        .fetch("ann")(own)
        .catch((error: unknown) => error),
      await overBytes(sim, server.origin()).catch((error: unknown) => error),
      await overBytes(sim, "http://127.0.0.1:9").catch((error: unknown) => error)
    ]
  })

  expect(fetched).toMatchObject({
    message: "fetch failed",
    cause: {
      code: "ECONNREFUSED",
      message:
        "connect ECONNREFUSED 127.0.0.1:8001: this address is served over bytes; " +
        "reach it by new Agent({ connect: sim.connector(client) }) of undici"
    }
  })
  expect(dialled).toMatchObject({
    code: "ECONNREFUSED",
    message:
      "connect ECONNREFUSED 127.0.0.1:8002: this address is served over messages; " +
      'reach it by sim.fetch(client) or sim.dispatcher(client), or start it over: "bytes"'
  })
  expect(nobody).toMatchObject({ message: "connect ECONNREFUSED 127.0.0.1:9" })
})

// Seen to fail with "mock server not ready within 5s", the deadline of real ports.
test("a server is there also where anything may be late", async () => {
  for (const options of [{ isUntimed: true }, { windowMs: 10_000 }]) {
    const { stats } = await explore({ runs: 20, ...options }, async (sim) => {
      await sim.startServer()
      await sim.startServer({ over: "bytes" })
    })
    expect(stats.runs).toBe(20)
  }
})
