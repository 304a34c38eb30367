import { type Dispatcher, interceptors, request, fetch as undiciFetch } from "undici"
import { expect, test } from "vitest"
import { withSim } from "../../src/sim.ts"

// Seen to fail when the dispatcher was loaded inside the run: a hang under Vitest, an escape on a plain Node 20.

test("sim.dispatcher is there in the first run of a process, and nothing real is waited for", async () => {
  const seen = await withSim({ limits: { graceMs: 0 } }, async (sim) => {
    const server = await sim.startServer()
    const dispatcher = await sim.dispatcher<Dispatcher>("ann")
    const { statusCode, body } = await request(`${server.url()}/models`, { dispatcher })
    return { statusCode, models: await body.json(), log: server.requests().length }
  })
  expect(seen).toMatchObject({ statusCode: 200, models: { object: "list" }, log: 1 })
})

test("It has what a dispatcher of undici has: calls of its own, interceptors, and a place in fetch", async () => {
  const seen = await withSim({ seed: 3 }, async (sim) => {
    const server = await sim.startServer()
    const dispatcher = await sim.dispatcher<Dispatcher>("ann")
    const call = { origin: server.origin(), path: "/v1/models", method: "GET" } as const
    const own = await dispatcher.request(call)
    const composed = await dispatcher.compose(interceptors.retry()).request(call)
    const fetched = await undiciFetch(`${server.url()}/models`, { dispatcher })
    await Promise.all([own.body.dump(), composed.body.dump(), fetched.text()])
    return [own.statusCode, composed.statusCode, fetched.status, server.requests().length]
  })
  expect(seen).toEqual([200, 200, 200, 3])
})
