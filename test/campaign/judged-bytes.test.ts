import { describe, expect, test } from "vitest"
import { ScriptedResponse } from "../../src/index.ts"
import type { SimWorld } from "../../src/sim.ts"
import * as sse from "../../src/sse.ts"
import { fetchOver, openaiOver } from "./fetch-over.ts"
import { answer, auxiliary, judged, posted, readAll } from "./judged-worlds.ts"

type Over = "messages" | "bytes"

/** Clients that do wrong, by what judges say of them. */
const plants: ReadonlyArray<readonly [found: string, plant: (over: Over) => (sim: SimWorld) => Promise<unknown>]> = [
  [
    "stream-termination: a truncated stream taken for complete",
    (over) => async (sim) => {
      const server = await sim.startServer({ over })
      const events = sse.chat.text({ model: "tide-1", text: "calm sea" }).slice(0, 2)
      server.expectResponse("weather", auxiliary, ScriptedResponse.sse(events))
      await sim.call("ann", () => readAll(openaiOver(sim, over, server.url())))
    }
  ],
  [
    "stream-termination: a truncated stream taken for complete",
    (over) => async (sim) => {
      const server = await sim.startServer({ over })
      server.expectResponse(
        "weather",
        auxiliary,
        ScriptedResponse.cut(answer("calm sea"), { afterEvent: 1, ending: "rst" })
      )
      const fetch = fetchOver(sim, over, "ann")
      await sim.call("ann", async () => {
        const response = await fetch(`${server.url()}/chat/completions`, posted)
        await response.text().catch(() => {})
      })
    }
  ],
  [
    "cancel: an event after the cancel was acknowledged",
    (over) => async (sim) => {
      const server = await sim.startServer({ over })
      server.setChunkDelay(10)
      const fetch = fetchOver(sim, over, "ann")
      let reading: Promise<string> | null = null
      await sim
        .call("ann", async ({ abort }) => {
          reading = (await fetch(`${server.url()}/chat/completions`, posted)).text()
          await sim.sleep(5)
          abort()
          throw new Error("stopped")
        })
        .catch(() => {})
      await reading
    }
  ],
  [
    "cancel: a request after the cancel was acknowledged",
    (over) => async (sim) => {
      const server = await sim.startServer({ over })
      const fetch = fetchOver(sim, over, "ann")
      let asking: Promise<unknown> | null = null
      await sim
        .call("ann", async ({ abort }) => {
          asking = sim.sleep(50).then(async () => (await fetch(`${server.url()}/chat/completions`, posted)).text())
          abort()
          throw new Error("stopped")
        })
        .catch(() => {})
      await asking
    }
  ],
  [
    "cancel: an aborted call has not settled",
    (over) => async (sim) => {
      const server = await sim.startServer({ over })
      server.expectResponse("weather", auxiliary, { ...answer("calm"), pacing: { delayMs: 100 } })
      await sim.call("ann", async (call) => {
        setTimeout(() => call.abort(), 50)
        await readAll(openaiOver(sim, over, server.url()))
      })
    }
  ],
  [
    "retry-budget: a request in the window that Retry-After forbids",
    (over) => async (sim) => {
      const server = await sim.startServer({ over })
      server.enqueueResponse("/v1/chat/completions", {
        ...ScriptedResponse.json(429, { error: { message: "slow down" } }),
        headers: [["retry-after", "30"]]
      })
      const fetch = fetchOver(sim, over, "ann")
      await sim.call("ann", async () => {
        for (const _ of [1, 2]) await (await fetch(`${server.url()}/chat/completions`, posted)).text()
      })
    }
  ],
  [
    "retry-budget: more retries than allowed",
    (over) => async (sim) => {
      const server = await sim.startServer({ over })
      const fetch = fetchOver(sim, over, "ann")
      await sim.call("ann", async () => {
        for (const _ of [1, 2, 3]) await (await fetch(`${server.url()}/chat/completions`, posted)).text()
      })
    }
  ],
  [
    "retry-budget: a request after the call had settled",
    (over) => async (sim) => {
      const server = await sim.startServer({ over })
      const fetch = fetchOver(sim, over, "ann")
      const late = await sim.call("ann", () => [
        sim.sleep(10).then(async () => (await fetch(`${server.url()}/chat/completions`, posted)).text())
      ])
      await Promise.all(late)
    }
  ],
  [
    "tools-once: a tool call was executed twice",
    (over) => async (sim) => {
      const server = await sim.startServer({ over })
      const call = { callId: "call_1", name: "lookup", arguments: "{}" }
      const events = sse.chat.call({ model: "tide-1", ...call })
      server.expectResponse("broken", auxiliary, ScriptedResponse.sse(events.slice(0, -1)))
      server.expectResponse("whole", auxiliary, ScriptedResponse.sse(events))
      const fetch = fetchOver(sim, over, "ann")
      await sim.call("ann", async ({ tool }) => {
        for (let isWhole = false; !isWhole; ) {
          const text = await (await fetch(`${server.url()}/chat/completions`, posted)).text()
          if (text.includes('"call_1"')) await tool("call_1", () => 1)
          isWhole = text.includes("[DONE]")
        }
      })
    }
  ],
  [
    "resources: a request is left open",
    (over) => async (sim) => {
      const server = await sim.startServer({ over })
      server.expectResponse("weather", auxiliary, { ...answer("calm"), ending: "stall" })
      await fetchOver(sim, over, "ann")(`${server.url()}/chat/completions`, posted)
    }
  ],
  [
    "liveness: a copy is held at a barrier",
    (over) => async (sim) => {
      const server = await sim.startServer({ over })
      const turn = server.expectResponseBlocked("weather", auxiliary, answer("calm"))
      sim.tell({ type: "faults.stopped" })
      void sim.sleep(5_000).then(() => turn.release())
      await sim.call("ann", () => readAll(openaiOver(sim, over, server.url())))
    }
  ]
]

// Each was missed over bytes while clients over bytes were not seen, or there was no word of their calls; the second one when a
// reset counted as given up.
describe.each(["messages", "bytes"] as const)("A client over %s that does wrong is found", (over) => {
  test.each(plants)("%s", async (found, plant) => {
    const told = await judged({ retries: { retriesMax: 1 }, cancelMsMax: 20, settleBudgetMs: 1_000 }, plant(over))

    expect(told).toContain(`OracleViolated: ${found}`)
  })
})
