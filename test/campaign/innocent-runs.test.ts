import { expect, test } from "vitest"
import { ScriptedResponse } from "../../src/index.ts"
import type { SimWorld } from "../../src/sim.ts"
import { answer, auxiliary, judged, openaiOf, posted, readAll, said } from "./judged-worlds.ts"

test.each<[string, (sim: SimWorld) => Promise<unknown>]>([
  [
    "reads a stream to the chunk before a barrier, and on when it is released",
    async (sim) => {
      const server = await sim.startServer()
      const turn = server.expectResponseBlocked("weather", auxiliary, answer("calm"))
      void sim.sleep(200).then(() => turn.release())
      await sim.call("ann", () => readAll(openaiOf(sim, server.url())))
    }
  ],
  [
    "aborts a stream whose SDK then just ends it",
    async (sim) => {
      const server = await sim.startServer()
      server.setChunkDelay(10)
      await sim.call("ann", ({ abort, signal }) => {
        void sim.sleep(25).then(() => abort())
        return readAll(openaiOf(sim, server.url()), { signal })
      })
    }
  ],
  [
    "leaves a stream when it has heard enough",
    async (sim) => {
      const server = await sim.startServer()
      server.setChunkDelay(10)
      await sim.call("ann", async () => {
        for await (const _ of await openaiOf(sim, server.url()).chat.completions.create(said)) break
      })
    }
  ],
  [
    "takes whichever of two streams comes first",
    async (sim) => {
      const server = await sim.startServer()
      server.setChunkDelay(10)
      await sim.call("ann", async ({ signal, abort }) => {
        const first = readAll(openaiOf(sim, server.url()), { signal })
        await sim.sleep(20)
        const second = readAll(openaiOf(sim, server.url()), { signal })
        await first
        second.catch(() => {})
        abort()
      })
    }
  ],
  [
    "sends the same request as a stream while the first is answered",
    async (sim) => {
      const server = await sim.startServer()
      const turn = server.expectResponseBlocked("weather", auxiliary, ScriptedResponse.json(200, {}))
      const bytes = new TextEncoder().encode(JSON.stringify(said))
      const headers = { ...posted.headers, "x-grok-req-id": "1" }
      const body = () =>
        new ReadableStream({
          start(own) {
            own.enqueue(bytes)
            own.close()
          }
        })
      const ask = () =>
        sim.fetch("ann")(`${server.url()}/chat/completions`, {
          method: "POST",
          headers,
          body: body(),
          duplex: "half"
        } as RequestInit)
      const both = Promise.all([ask(), ask()].map(async (response) => (await response).text()))
      await sim.sleep(200)
      turn.release()
      await both
      expect(server.requests()[1]?.answer.source).toBe("replay")
    }
  ]
])("accuses nobody who %s", async (_, body) => {
  expect(await judged({}, body)).toBe("nothing")
})
