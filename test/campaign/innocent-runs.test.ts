import { describe, expect, test } from "vitest"
import { ScriptedResponse } from "../../src/index.ts"
import { explore, type SimWorld } from "../../src/sim.ts"
import { fetchOver } from "./fetch-over.ts"
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

const withId = { method: "POST", headers: { ...posted.headers, "x-grok-req-id": "1" }, body: posted.body }

// Each was accused.
describe.each(["messages", "bytes"] as const)("Over %s", (over) => {
  test.each<[string, (sim: SimWorld) => Promise<unknown>]>([
    [
      "asks two servers the same at once",
      async (sim) => {
        const servers = [await sim.startServer({ over }), await sim.startServer({ over })]
        const turns = servers.map((server) => server.expectResponseBlocked("weather", auxiliary, answer("calm")))
        const fetch = fetchOver(sim, over, "ann")
        const both = servers.map(async (server) => (await fetch(`${server.url()}/chat/completions`, withId)).text())
        await sim.sleep(200)
        for (const turn of turns) turn.release()
        await Promise.all(both)
      }
    ],
    [
      "joins a call late, and gets fewer comments that keep it alive",
      async (sim) => {
        const server = await sim.startServer({ over })
        const turn = server.expectResponseBlocked("weather", auxiliary, answer("calm"))
        const fetch = fetchOver(sim, over, "ann")
        const ask = async (): Promise<string> => (await fetch(`${server.url()}/chat/completions`, withId)).text()
        const first = ask()
        await sim.sleep(40_000)
        const second = ask()
        await sim.sleep(40_000)
        turn.release()
        expect((await first).length).toBeGreaterThan((await second).length)
      }
    ],
    [
      "waits a tenth longer than it is asked to",
      async (sim) => {
        const server = await sim.startServer({ over })
        const busy = ScriptedResponse.json(429, { error: { message: "slow down" } })
        server.enqueueResponse("/v1/chat/completions", { ...busy, headers: [["retry-after", "30"]] })
        const fetch = fetchOver(sim, over, "ann")
        await sim.call("ann", async () => {
          await (await fetch(`${server.url()}/chat/completions`, withId)).text()
          await sim.sleep(33_000)
          await (await fetch(`${server.url()}/chat/completions`, withId)).text()
        })
      }
    ],
    [
      "asks another server while the first one wants to be left alone",
      async (sim) => {
        const servers = [await sim.startServer({ over }), await sim.startServer({ over })]
        const busy = ScriptedResponse.json(429, { error: { message: "slow down" } })
        servers[0]?.enqueueResponse("/v1/chat/completions", { ...busy, headers: [["retry-after", "30"]] })
        const fetch = fetchOver(sim, over, "ann")
        await sim.call("ann", async () => {
          for (const server of servers) await (await fetch(`${server.url()}/chat/completions`, withId)).text()
        })
      }
    ]
  ])("nobody is accused who %s", async (_, body) => {
    expect(await judged({ retries: { retriesMax: 1 } }, body)).toBe("nothing")
  })

  // Seen to fail while the network went on with its faults.
  test("nobody is accused whom only faults of the network would hold up after they were told to stop", async () => {
    const faults = { rst: 1 / 2, refuse: 1 / 2, stall: 1 / 4 }
    const calm = explore({ runs: 50, judge: { settleBudgetMs: 5_000 }, network: { faults } }, async (sim) => {
      const server = await sim.startServer({ over })
      sim.tell({ type: "faults.stopped" })
      const fetch = fetchOver(sim, over, "ann")
      await sim.call("ann", async () => (await fetch(`${server.url()}/chat/completions`, withId)).text())
    })

    await expect(calm).resolves.toMatchObject({ stats: { runs: 50 } })
  })
})
