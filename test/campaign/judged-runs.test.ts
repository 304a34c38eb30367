import { describe, expect, test } from "vitest"
import { ScriptedResponse } from "../../src/index.ts"
import { explore, type JudgeOptions, type Monitor, type SimWorld, withSim } from "../../src/sim.ts"
import * as sse from "../../src/sse.ts"
import { answer, auxiliary, judged, openaiOf, posted, readAll, said } from "./judged-worlds.ts"

describe("A judged run", () => {
  test("is nobody's business when all went well", async () => {
    const told = await judged({}, async (sim) => {
      const server = await sim.startServer()
      server.expectResponse("weather", auxiliary, answer("calm"))
      await sim.call("ann", () => readAll(openaiOf(sim, server.url())))
    })

    expect(told).toBe("nothing")
  })

  test("shows half an answer that passed for a whole one, without a word of the client", async () => {
    const told = await judged({}, async (sim) => {
      const server = await sim.startServer()
      server.expectResponse("weather", auxiliary, {
        ...answer("calm sea"),
        body: { kind: "sse", events: sse.chat.text({ model: "tide-1", text: "calm sea" }).slice(0, 2) }
      })
      await sim.call("ann", () => readAll(openaiOf(sim, server.url())))
    })

    expect(told).toBe(
      "OracleViolated: stream-termination: a truncated stream taken for complete\n" +
        "at 4 ms, stream-termination: ann/call 1 completed, and the stream of attempt 1 of ann/call 1 ended early, without its last event"
    )
  })

  test("shows an answer that came after the call was given up", async () => {
    const told = await judged({}, async (sim) => {
      const server = await sim.startServer()
      server.expectResponse("weather", auxiliary, { ...answer("calm"), pacing: { delayMs: 100 } })
      await sim.call("ann", async (call) => {
        setTimeout(() => call.abort(), 50)
        await readAll(openaiOf(sim, server.url()))
      })
    })

    expect(told).toContain("cancel: an aborted call has not settled")
  })

  test("shows retries that come too early", async () => {
    const told = await judged({ retries: { retriesMax: 2 } }, async (sim) => {
      const server = await sim.startServer()
      server.enqueueResponse("/v1/chat/completions", {
        ...ScriptedResponse.json(429, { error: { message: "slow down" } }),
        headers: [["retry-after", "30"]]
      })
      await sim.call("ann", async () => {
        const ask = () => sim.fetch("ann")(`${server.url()}/chat/completions`, posted)
        const first = await ask()
        await first.text()
        if (first.status === 429) await (await ask()).text()
      })
    })

    expect(told).toContain("retry-budget: a request in the window that Retry-After forbids")
  })

  test("shows a tool that was executed twice", async () => {
    const told = await judged({}, (sim) =>
      sim.call("ann", async ({ tool }) => {
        await tool("call_1", () => 1)
        await tool("call_1", () => 1)
      })
    )

    expect(told).toContain("tools-once: a tool call was executed twice")
  })

  test("shows the answer that nobody read to its end", async () => {
    const told = await judged({}, async (sim) => {
      const server = await sim.startServer()
      server.expectResponse("weather", auxiliary, { ...answer("calm"), ending: "stall" })
      await sim.fetch("ann")(`${server.url()}/chat/completions`, posted)
    })

    expect(told).toContain("resources: a request is left open")
    expect(told).toContain("POST /v1/chat/completions, request 1, 200 (ann, since")
  })

  test("takes the requests of a tool loop for no retries of each other", async () => {
    const asks = (contents: ReadonlyArray<string>) =>
      judged({ retries: { retriesMax: 1 } }, async (sim) => {
        const server = await sim.startServer()
        await sim.call("ann", async () => {
          for (const content of contents) {
            const body = JSON.stringify({ ...said, messages: [{ role: "user", content }] })
            await (await sim.fetch("ann")(`${server.url()}/chat/completions`, { ...posted, body })).text()
          }
        })
      })

    expect(await asks(["one", "two", "three"])).toBe("nothing")
    expect(await asks(["one", "one", "one"])).toContain(
      "ann/call 1 sent the same request 3 times; 1 retries are allowed"
    )
  })

  test("shows a tool that begins after the abort", async () => {
    const told = await judged({ cancelMsMax: 1_000 }, (sim) =>
      sim
        .call("ann", async ({ abort, tool }) => {
          abort()
          await sim.sleep(10)
          await tool("call_1", () => 1)
          throw new Error("stopped")
        })
        .catch(() => {})
    )

    expect(told).toContain("cancel: a tool after the abort")
  })

  test("counts two servers as one world", async () => {
    const told = await judged({}, async (sim) => {
      const servers = [await sim.startServer(), await sim.startServer()]
      for (const server of servers) {
        server.expectResponse("weather", auxiliary, answer("calm"))
        await sim.call("ann", () => readAll(openaiOf(sim, server.url())))
      }
    })

    expect(told).toBe("nothing")
  })

  test("fails as its program does, when that fails too", async () => {
    const told = await judged({}, async (sim) => {
      const { tool } = await sim.call("ann", (call) => call)
      await tool("call_1", () => 1)
      await tool("call_1", () => 1)
      throw new Error("the program's own")
    })

    expect(told).toBe("Error: the program's own")
  })

  test("may be judged by laws of the test alone", async () => {
    const only = (isBare: boolean): JudgeOptions => ({
      isBare,
      oracles: [
        {
          name: "no-tools",
          init: () => 0,
          on: (event, count) => (event.type === "tool.executed" ? Number(count) + 1 : count),
          fail: (count) => (Number(count) > 0 ? "a tool was used" : undefined)
        }
      ]
    })
    const twice = (sim: SimWorld) =>
      sim.call("ann", async ({ tool }) => {
        await tool("call_1", () => 1)
        await tool("call_1", () => 1)
      })

    expect(await judged(only(true), twice)).toBe(
      "OracleViolated: no-tools: a tool was used\nat 0 ms, no-tools: a tool was used"
    )
    expect(await judged(only(false), twice)).toContain("tools-once")
  })

  test("names a law that throws, also where a client would have caught it", async () => {
    const boom = new Error("boom")
    const law: Monitor<number> = {
      name: "no-second-request",
      init: () => 0,
      on(event, count) {
        if (event.type === "attempt.sent" && count === 1) throw boom
        return event.type === "attempt.sent" ? count + 1 : count
      }
    }
    const run = withSim({ judge: { oracles: [law] } }, async (sim) => {
      const server = await sim.startServer()
      for (const _ of [1, 2])
        await sim
          .fetch("ann")(`${server.url()}/chat/completions`, posted)
          .catch(() => {})
    })

    await expect(run).rejects.toThrow(
      /^no-second-request: on throws Error: boom\nat \d+ ms, no-second-request: on throws/
    )
    await expect(run).rejects.toMatchObject({ _tag: "OracleViolated", cause: boom })
  })

  test("is found, made small and told by explore", async () => {
    const campaign = explore({ runs: 100, judge: {} }, async (sim) => {
      const server = await sim.startServer()
      const events = sse.chat.text({ model: "tide-1", text: "calm sea" })
      const sent = sim.choice.draw(4, "script") === 3 ? 2 : events.length
      server.expectResponse("weather", auxiliary, ScriptedResponse.sse(events.slice(0, sent)))
      await sim.call("ann", () => readAll(openaiOf(sim, server.url())))
    })

    await expect(campaign).rejects.toThrow(
      /a truncated stream taken for complete[\s\S]*SIM_REPLAY='us1\.[\s\S]*is answered 200/
    )
  })
})
