import { createServer } from "node:http"
import { Agent, type buildConnector, request } from "undici"
import { expect, test } from "vitest"
import { type SimWorld, withSim } from "../../src/sim.ts"

const never = (): Promise<never> => new Promise(() => {})

const overBytes = (sim: SimWorld, client: string, url: string) => {
  const dispatcher = new Agent({ connect: sim.connector<buildConnector.connector>(client) })
  sim.onEnd(() => dispatcher.destroy())
  return request(url, { dispatcher, headersTimeout: 0 })
}

/** What a hang of this program names. */
const named = async (...run: Parameters<typeof withSim>): Promise<unknown> => {
  const error = await withSim(...run).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ _tag: "Deadlock" })
  return Reflect.get(Object(error), "waiting")
}

// Seen to fail while requests on the network alone were named.
test("a hang names calls without a request under way", async () => {
  const waiting = await named({}, async (sim) => {
    const server = await sim.startServer()
    await sim.call("ann", async () => (await sim.fetch("ann")(`${server.url()}/models`)).text())
    await Promise.all([sim.call("ann", never), sim.call("bob", never), sim.call("bob", () => "done")])
  })

  expect(waiting).toEqual(["ann/call 2 waits for its client", "bob/call 1 waits for its client"])
})

test("a hang does not name a call twice whose request is under way", async () => {
  const waiting = await named({ network: { timeouts: { headersMs: 0 } } }, async (sim) => {
    const server = await sim.startServer()
    const held = server.next()
    await sim.call("ann", () =>
      sim.fetch("ann")(`${server.url()}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"model":"m","messages":[{"role":"user","content":"Ahoy"}]}'
      })
    )
    await held
  })

  expect(waiting).toEqual([
    "attempt 1 of ann/call 1 (POST /v1/chat/completions) waits for request 1, which waits for the test, which holds it"
  ])
})

// Seen to fail while nothing of clients over bytes was named.
test("a hang names open sockets of clients over bytes, and since when", async () => {
  const waiting = await named({}, async (sim) => {
    const answers = await sim.serve(createServer((_, response) => response.end()))
    const silent = await sim.serve(createServer(() => {}))
    const { body } = await overBytes(sim, "bob", answers)
    await body.text()
    await sim.sleep(10_000)
    await sim.call("ann", () => overBytes(sim, "ann", silent))
  })

  expect(waiting).toEqual([
    "ann/call 1 waits for its client",
    expect.stringMatching(/^a socket of ann to 127\.0\.0\.1:8002 is open since 1\d{4} ms$/)
  ])
})

// Seen to say that no server had the request, which its handler was answering.
test("a hang at an answer that never ends says whose answer that is", async () => {
  const waiting = await named({ judge: {}, network: { timeouts: { bodyMs: 0 } } }, async (sim) => {
    const endless = createServer((_, response) => response.write("some"))
    const url = await sim.serve(endless)
    await sim.call("ann", async () => {
      const dispatcher = new Agent({ connect: sim.connector<buildConnector.connector>("ann"), bodyTimeout: 0 })
      sim.onEnd(() => dispatcher.destroy())
      const { body } = await request(url, { dispatcher })
      await body.text()
    })
  })

  expect(waiting).toContain("attempt 1 of ann/call 1 (GET /) waits for the rest of the answer of 127.0.0.1:8001")
})

// Seen to hang: undici waits for connects in the connector, whose place that of the world takes.
test("a connect over bytes that is lost is given up by its client", async () => {
  const refused = await withSim({ network: { faults: { lostConnect: 0.5 } }, seed: 3 }, async (sim) => {
    const error = await overBytes(sim, "ann", await sim.serve(createServer(() => {}))).catch((error: Error) => error)
    return `${sim.now()} ms: ${error}`
  })

  expect(refused).toBe(
    "10000 ms: ConnectTimeoutError: Connect Timeout Error (attempted address: 127.0.0.1:8001, timeout: 10000ms)"
  )
})

test("a hang names a socket whose connect was lost", async () => {
  const waiting = await named(
    { network: { timeouts: { connectMs: 0 }, faults: { lostConnect: 0.5 } }, seed: 3 },
    async (sim) => {
      const silent = await sim.serve(createServer(() => {}))
      await overBytes(sim, "ann", silent)
    }
  )

  expect(waiting).toEqual(["a socket of ann waits for its network since 0 ms, to reach 127.0.0.1:8001"])
})
